import type { Token } from "marked";
import { Component } from "preact";
import { useRef } from "preact/hooks";
import { growMarkdown, type MarkdownState } from "./lexer.ts";
import type { MarkdownTexts } from "./CodeBlock.tsx";
import { MarkdownBlock } from "./MarkdownBlock.tsx";

/** A text with Markdown, which may grow while it is shown. */
export function Markdown(
  { text, growing, texts }: { text: string; growing: boolean; texts: MarkdownTexts },
) {
  const state = useRef<MarkdownState>();
  const { settled, open } = state.current = growMarkdown(state.current, text);
  return (
    <div class="markdown">
      {settled.map((tokens, at) => <Settled key={at} tokens={tokens} texts={texts} />)}
      {open.map((token, at) => (
        <MarkdownBlock
          key={`${settled.length} ${at}`}
          token={token}
          growing={growing}
          texts={texts}
        />
      ))}
    </div>
  );
}

interface SettledProps {
  readonly tokens: readonly Token[];
  readonly texts: MarkdownTexts;
}

/** Blocks that stay as they are, and are drawn once. */
class Settled extends Component<SettledProps> {
  override shouldComponentUpdate({ tokens }: SettledProps): boolean {
    return tokens !== this.props.tokens;
  }

  render({ tokens, texts }: SettledProps) {
    return (
      <>
        {tokens.map((token, at) => (
          <MarkdownBlock key={at} token={token} growing={false} texts={texts} />
        ))}
      </>
    );
  }
}
