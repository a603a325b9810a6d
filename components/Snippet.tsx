import type { ComponentChildren } from "preact";
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

/** One variant of a code example. */
export interface SnippetTab {
  /** The name of the language or program. */
  readonly name: string;
  readonly text: string;
  /** The text as escaped HTML in colours. */
  readonly html?: string;
  /** Above the code, such as the file that it belongs to. */
  readonly before?: ComponentChildren;
  /** Below the code. */
  readonly after?: ComponentChildren;
}

interface SnippetTabsProps {
  /** Unique on the page. */
  readonly id: string;
  /** The purpose that all variants share. */
  readonly label: string;
  readonly tabs: readonly SnippetTab[];
  readonly secret?: string;
  /** The label of the copy button of a variant. */
  readonly copy: (name: string) => string;
  readonly texts: CopyTexts;
}

/**
 * Variants of one code example as tabs of one block, the first one open. The tabs are radio buttons,
 * so that they work without a script and with the arrow keys.
 */
export function SnippetTabs({ id, label, tabs, ...snippet }: SnippetTabsProps) {
  return (
    <div class="snippet-tabs" role="group" aria-label={label}>
      {tabs.map((tab, at) => (
        <Tab key={tab.name} id={id} at={at} tab={tab} label={label} {...snippet} />
      ))}
    </div>
  );
}

function Tab(
  { id, at, tab, label, secret, copy, texts }: Omit<SnippetTabsProps, "tabs"> & {
    at: number;
    tab: SnippetTab;
  },
) {
  const { name, text, html, before, after } = tab;
  return (
    <>
      <input
        class="unseen"
        type="radio"
        id={`${id}-${at}`}
        name={id}
        checked={at === 0}
        autocomplete="off"
      />
      <label for={`${id}-${at}`} {...untranslated}>{name}</label>
      <div class="snippet-tab">
        {before}
        <Snippet
          text={text}
          html={html}
          secret={secret}
          label={`${label}: ${name}`}
          copy={copy(name)}
          texts={texts}
        />
        {after}
      </div>
    </>
  );
}
