import { A } from "../A.tsx";
import { CopyButton, type CopyTexts } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import { EmptyPanel } from "../Panel.tsx";
import { masked } from "../Snippet.tsx";
import { untranslated } from "../untranslated.ts";

type SecretTexts = Readonly<
  Record<"text" | "label" | "reveal" | "hide" | "copy" | "stored", string>
>;

/**
 * The secret of a new key or link, shown only once. It is masked until revealed, which works
 * without a script and also reveals the page's other texts with the secret.
 */
export function SecretPanel(
  { secret, texts, copyTexts }: { secret: string; texts: SecretTexts; copyTexts: CopyTexts },
) {
  return (
    <>
      <p>{texts.text}</p>
      <div class="secret">
        <div class="line">
          <code class="masked" aria-label={texts.label}>{masked(secret)}</code>
          <code class="value" {...untranslated}>{secret}</code>
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
        </details>
      </div>
    </>
  );
}

/** Replaces a secret that was shown before and cannot be shown again. */
export function ShownAlready(
  { title, text, back, path }: { title: string; text: string; back: string; path: string },
) {
  return (
    <EmptyPanel icon="eye-off" title={title} text={text}>
      <A class="button" href={path}>{back}</A>
    </EmptyPanel>
  );
}
