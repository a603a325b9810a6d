import { useState } from "preact/hooks";
import { Icon } from "./Icon.tsx";

export type CopyTexts = Readonly<Record<"copied" | "failed", string>>;

const shownMs = 2_000;

/**
 * Copies a text. Without a script the style sheet hides the button; users can select the text.
 * It hydrates wherever a page imports it from, because `islands/CopyButton.tsx` registers it.
 */
export function CopyButton(
  { text, label, texts, isPrimary = false, isLoaded = false }: {
    text: string;
    label: string;
    texts: CopyTexts;
    /** True for the main action of a page, which shows its label. */
    isPrimary?: boolean;
    /** True in HTML that a script loads, where no island starts: the text is an attribute, too. */
    isLoaded?: boolean;
  },
) {
  const [result, setResult] = useState<keyof CopyTexts | undefined>();
  const copy = async () => {
    setResult(await write(text) ? "copied" : "failed");
    setTimeout(() => setResult(undefined), shownMs);
  };
  return (
    <span class="copy-wrap">
      <button
        class={isPrimary ? "button primary" : "icon-button"}
        type="button"
        aria-label={isPrimary ? undefined : label}
        title={isPrimary ? undefined : label}
        data-copy={isLoaded ? text : undefined}
        onClick={copy}
      >
        <Icon name={result === "copied" ? "check" : result === "failed" ? "circle-x" : "copy"} />
        {isPrimary && label}
      </button>
      <span class="unseen" role="status">{result ? texts[result] : ""}</span>
    </span>
  );
}

/** Browsers offer the clipboard API on secure pages only; elsewhere the old command still works. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeBySelection(text);
  }
}

function writeBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "unseen";
  // A modal dialog makes everything outside it unselectable.
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } finally {
    area.remove();
  }
}
