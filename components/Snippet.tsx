import { CopyButton, type CopyTexts } from "./CopyButton.tsx";
import { untranslated } from "./untranslated.ts";

/**
 * A text to copy, which may scroll sideways. A secret in it is masked until the page's
 * `SecretPanel` reveals it.
 */
export function Snippet(
  { text, html, secret, label, copy, texts }: {
    text: string;
    /** The text as escaped HTML in colours. */
    html?: string;
    secret?: string;
    label: string;
    copy: string;
    texts: CopyTexts;
  },
) {
  return (
    <div class="snippet">
      <pre tabIndex={0} role="region" aria-label={label}>
        {secret === undefined ? <Clear text={text} html={html} /> : (
          <>
            <code class="clear" {...untranslated}>{text}</code>
            <code class="masked" {...untranslated}>{text.replaceAll(secret, masked(secret))}</code>
          </>
        )}
      </pre>
      <CopyButton text={text} label={copy} texts={texts} />
    </div>
  );
}

function Clear({ text, html }: { text: string; html: string | undefined }) {
  return html === undefined
    ? <code {...untranslated}>{text}</code>
    : <code {...untranslated} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Leaves enough to recognize it: the path of a link, the start of a key. */
export function masked(secret: string): string {
  const [start] = /\/[^/]+\/(?=[^/]+$)/.exec(secret) ?? [secret.slice(0, 6)];
  return `${start}••••••••••••${secret.slice(-4)}`;
}
