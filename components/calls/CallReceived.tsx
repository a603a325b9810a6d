import { saidOf } from "../../lib/console/calls/call_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { apiLanguage, sentenceOf, verdictOf } from "../../lib/verdict/mod.ts";
import { Fold } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";

/** The error that the caller received: the sentence of the page, in English. */
export function CallReceived({ view, call }: { view: AccountView; call: RequestLogRow }) {
  const { callFailure: failure } = view.catalog;
  const verdict = verdictOf(call);
  if (verdict === undefined) return null;
  const message = sentenceOf(verdict, apiLanguage, saidOf(verdict, view)?.message);
  const error = { code: verdict.code, message };
  const text = `HTTP ${call.status}\nx-request-id: ${call.id}\n\n${
    JSON.stringify({ error }, null, 2)
  }`;
  return (
    <Fold id="received" title={failure.received} value={failure.receivedText(String(call.status))}>
      <div class="body">
        <pre class="received" tabIndex={0} role="region" aria-label={failure.received}>
          <code {...untranslated}>{text}</code>
        </pre>
      </div>
    </Fold>
  );
}
