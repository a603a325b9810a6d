import type { AccountView } from "../../lib/console/page/view.ts";
import type { ConnectionReport } from "../../lib/upstreams/mod.ts";
import { Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { untranslated } from "../untranslated.ts";

/** The result of a connection test, with its remedy. */
export function ConnectionResult(
  { view, report, remark }: {
    view: AccountView;
    report: ConnectionReport;
    /** The consequence of the result. */
    remark?: string;
  },
) {
  const { catalog: { upstreams: texts, upstreamWords }, formats } = view;
  const { isReady, state, url, status, tookMs, said, models, suggestedBaseUrl } = report;
  const took = formats.span(tookMs);
  return (
    <Panel id="tested" title={texts.testTitle}>
      <div class="body fields" role="status">
        <p>
          <Status tone={isReady ? "ok" : "bad"}>
            {upstreamWords.connection[state]}
          </Status>
        </p>
        {remark && <p>{remark}</p>}
        <p class="soft">
          {status === undefined ? texts.testedWithout(took) : texts.tested(took, String(status))}
          {models !== undefined && ` ${texts.listed(models)}`}
          {suggestedBaseUrl !== undefined && ` ${texts.suggested(suggestedBaseUrl)}`}
        </p>
        {url && (
          <p>
            <code class="breakable" {...untranslated}>{url}</code>
          </p>
        )}
        {said && <p class="soft breakable" {...untranslated}>{said}</p>}
      </div>
    </Panel>
  );
}
