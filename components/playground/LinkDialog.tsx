import { useRef, useState } from "preact/hooks";
import { CopyButton, type CopyTexts } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import type { PlaygroundTexts } from "./texts.ts";

interface LinkDialogProps {
  /** The address with models and parameters. */
  readonly link: string;
  /** The texts of the page by field, which the link has only on request. */
  readonly written: Readonly<Record<string, string>>;
  readonly texts: PlaygroundTexts;
  readonly copyTexts: CopyTexts;
}

/** The link to this page. Texts go into its fragment, which browsers do not send to servers. */
export function LinkDialog({ link, written, texts, copyTexts }: LinkDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [withTexts, include] = useState(false);
  const fields = Object.entries(written).filter(([, text]) => text.trim() !== "");
  const isLong = withTexts && fields.length > 0;
  const address = isLong ? `${link}#${new URLSearchParams(fields)}` : link;
  return (
    <>
      <button
        class="button small with-script"
        type="button"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="link" small />
        {texts.saveLink}
      </button>
      <dialog class="dialog code-dialog" ref={dialog} aria-labelledby="link-title">
        <div class="inside">
          <h2 id="link-title">{texts.linkTitle}</h2>
          <p class="hint">{isLong ? texts.linkWithTexts : texts.linkText}</p>
          <div class="snippet">
            <pre tabIndex={0}><code>{address}</code></pre>
            <CopyButton text={address} label={texts.copyLink} texts={copyTexts} />
          </div>
          <label class="tick">
            <input
              type="checkbox"
              checked={withTexts}
              disabled={fields.length === 0}
              onChange={({ currentTarget }) => include(currentTarget.checked)}
            />
            {texts.linkInclude}
          </label>
          <div class="actions">
            <button class="button" type="button" onClick={() => dialog.current?.close()}>
              {texts.close}
            </button>
          </div>
        </div>
      </dialog>
    </>
  );
}
