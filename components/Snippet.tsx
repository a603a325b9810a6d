import CopyButton, { type CopyTexts } from "../islands/CopyButton.tsx";
import { untranslated } from "./untranslated.ts";

/** A text to be copied, which may scroll sideways. */
export function Snippet(
  { text, label, copy, texts }: {
    text: string;
    label: string;
    copy: string;
    texts: CopyTexts;
  },
) {
  return (
    <div class="snippet">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code {...untranslated}>{text}</code>
      </pre>
      <CopyButton text={text} label={copy} texts={texts} />
    </div>
  );
}
