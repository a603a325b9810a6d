import { useEffect, useState } from "preact/hooks";
import { CopyButton, type CopyTexts } from "../CopyButton.tsx";
import { untranslated } from "../untranslated.ts";
import type { CodeRun } from "./prism/highlight.ts";

/** The texts of code blocks. */
export interface MarkdownTexts {
  readonly copyCode: string;
  readonly copy: CopyTexts;
}

/** A code block. Its colours come with a script of their own, once the block is complete. */
export function CodeBlock(
  { text, language = "", growing, texts }: {
    text: string;
    language?: string;
    /** Set while the block may still grow. */
    growing: boolean;
    texts: MarkdownTexts;
  },
) {
  const [name] = language.split(/[\s,{]/);
  const runs = useColours(text, name.toLowerCase(), !growing);
  return (
    <div class="code-block">
      <header>
        <span {...untranslated}>{name}</span>
        <CopyButton text={text} label={texts.copyCode} texts={texts.copy} />
      </header>
      <pre tabIndex={0}><code {...untranslated}>{runs ? runs.map(runOf) : text}</code></pre>
    </div>
  );
}

function runOf({ type, text }: CodeRun, at: number) {
  return type === undefined ? text : <span key={at} class={`token ${type}`}>{text}</span>;
}

/** Longer blocks stay without colours. */
const charsMax = 30_000;

function useColours(text: string, language: string, isWhole: boolean) {
  const [shown, show] = useState<{ of: string; runs?: readonly CodeRun[] }>({ of: "" });
  useEffect(() => {
    if (!isWhole || language === "" || text.length > charsMax) return;
    let isGone = false;
    import("./prism/highlight.ts").then(
      ({ colouredRuns }) => isGone || show({ of: text, runs: colouredRuns(text, language) }),
      () => {}, // without the script, the code has no colours
    );
    return () => {
      isGone = true;
    };
  }, [text, language, isWhole]);
  return shown.of === text ? shown.runs : undefined;
}
