import { renderSVG } from "uqr";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { CopyButton } from "../CopyButton.tsx";
import { Panel } from "../Panel.tsx";
import { FormAlert } from "../controls.tsx";
import { CodeField } from "../sign_in/fields.tsx";
import { untranslated } from "../untranslated.ts";

export interface EnrolmentData {
  readonly secret: string;
  /** The secret, sealed for the form that confirms it. */
  readonly sealed: string;
  /** The content of the QR code. */
  readonly address: string;
  readonly fault?: string;
}

/** The secret of the second step as QR code and as text, and a form that verifies the app. */
export function Enrolment({ view, data }: { view: AccountView; data: EnrolmentData }) {
  const { security: { secondStep: texts, ...security }, copy } = view.catalog;
  const { secret, sealed, address, fault } = data;
  return (
    <Panel id="enrol" title={texts.enrolTitle} class="form-panel">
      <form class="body fields" method="post" noValidate>
        {fault && <FormAlert>{security.problem}</FormAlert>}
        <div class="enrol">
          <QrCode text={address} label={texts.qr} />
          <div class="fields">
            <p>{texts.scan}</p>
            <div class="field">
              <span class="hint">{texts.byHand}</span>
              <span class="secret-text">
                <code aria-label={texts.secret} {...untranslated}>
                  {secret.match(/.{1,4}/g)?.join(" ")}
                </code>
                <CopyButton text={secret} label={texts.copySecret} texts={copy} />
              </span>
            </div>
          </div>
        </div>
        <input type="hidden" name="sealed" value={sealed} />
        <CodeField label={texts.code} hint={texts.codeHint} fault={fault} />
        <div class="actions">
          <A class="button" href="/console/account">{security.cancel}</A>
          <button class="button primary" type="submit">{texts.submit}</button>
        </div>
      </form>
    </Panel>
  );
}

function QrCode({ text, label }: { text: string; label: string }) {
  const svg = renderSVG(text, { border: 0 }); // only squares: the text itself is not in the markup
  // deno-lint-ignore react-no-danger
  return <div class="qr" role="img" aria-label={label} dangerouslySetInnerHTML={{ __html: svg }} />;
}

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
