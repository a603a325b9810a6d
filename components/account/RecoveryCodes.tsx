import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { CopyButton } from "../CopyButton.tsx";
import { untranslated } from "../untranslated.ts";

/** New recovery codes, shown only once: copy, download or write them down. */
export function RecoveryCodes({ view, codes }: { view: AccountView; codes: readonly string[] }) {
  const { security: { secondStep: texts }, copy } = view.catalog;
  const text = `${codes.join("\n")}\n`;
  return (
    <section class="card wide" aria-labelledby="codes">
      <div class="inside">
        <h2 id="codes">{texts.codesTitle}</h2>
        <p>{texts.codesText}</p>
        <ol class="recovery" {...untranslated}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div class="line-actions">
          <a
            class="button"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="recovery-codes.txt"
          >
            {texts.download}
          </a>
          <CopyButton text={text} label={texts.copyCodes} texts={copy} />
        </div>
        <A class="button primary" href="/console/account">{texts.stored}</A>
      </div>
    </section>
  );
}
