import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { growMarkdown } from "./lexer.ts";

/** Reads the blocks of a text that grows. */
type MarkdownReader = typeof growMarkdown;

/** The reader on the server, where no script is loaded. */
export const ServerReader = createContext<MarkdownReader | undefined>(undefined);

/** The reader in a browser, once its script is loaded. */
const kept: { reader?: MarkdownReader } = {};

/**
 * The reader of Markdown; undefined until its script is loaded. It is half of the playground's
 * script, so that it comes with the first answer and not with the page.
 */
export function useMarkdownReader(): MarkdownReader | undefined {
  const provided = useContext(ServerReader) ?? kept.reader;
  const [loaded, show] = useState(kept);
  useEffect(() => {
    if (provided) return;
    let isGone = false;
    import("./lexer.ts").then(({ growMarkdown }) => {
      kept.reader = growMarkdown;
      if (!isGone) show({ reader: growMarkdown });
    }, () => {}); // without the script, answers are plain text
    return () => {
      isGone = true;
    };
  }, []);
  return provided ?? loaded.reader;
}
