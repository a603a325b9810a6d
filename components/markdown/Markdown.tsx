import type { Token } from "marked";
import { Component } from "preact";
import { useRef } from "preact/hooks";
import type { MarkdownState } from "./lexer.ts";
import type { MarkdownTexts } from "./CodeBlock.tsx";
import { MarkdownBlock } from "./MarkdownBlock.tsx";
import { useMarkdownReader } from "./reader.ts";

/** A text with Markdown, which may grow while it is shown. Plain until the reader is loaded. */
export function Markdown(
  { text, growing, texts }: { text: string; growing: boolean; texts: MarkdownTexts },
) {
  const read = useMarkdownReader();
  const state = useRef<MarkdownState>();
  if (!read || text === "") return text && <p class="words">{text}</p>;
  const { settled, open } = state.current = read(state.current, text);
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
