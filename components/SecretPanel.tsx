import CopyButton, { type CopyTexts } from "../islands/CopyButton.tsx";
import { Icon } from "./Icon.tsx";
import { untranslated } from "./untranslated.ts";

export type SecretTexts = Readonly<
  Record<"text" | "label" | "reveal" | "hide" | "copy" | "stored", string>
>;

/** A new key's secret, the only time it is shown: masked until asked for, also without a script. */
export function SecretPanel(
  { secret, texts, copyTexts }: { secret: string; texts: SecretTexts; copyTexts: CopyTexts },
) {
  return (
    <>
      <p>{texts.text}</p>
      <div class="secret">
        <div class="line">
          <code aria-label={texts.label}>
            {`${secret.slice(0, 6)}••••••••••••${secret.slice(-4)}`}
          </code>
          <CopyButton text={secret} label={texts.copy} texts={copyTexts} />
        </div>
        <details>
          <summary>
            <span class="when-closed">
              <Icon name="eye" small />
              {texts.reveal}
            </span>
            <span class="when-open">
              <Icon name="eye-off" small />
              {texts.hide}
            </span>
          </summary>
          <code class="value" {...untranslated}>{secret}</code>
        </details>
      </div>
    </>
  );
}
