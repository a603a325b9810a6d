import Notice from "../islands/Notice.tsx";
import type { UpstreamFaults, UpstreamValues } from "../lib/console/upstream_form.ts";
import type { AccountView, Catalog, ConnectionReport } from "../lib/console/view.ts";
import { ConsolePage } from "./ConsolePage.tsx";
import { HealthTable } from "./HealthTable.tsx";
import { Icon } from "./Icon.tsx";
import { Status } from "./States.tsx";
import { UpstreamFacts } from "./UpstreamFacts.tsx";
import { UpstreamFields } from "./UpstreamFields.tsx";
import type { UpstreamRow } from "./UpstreamTable.tsx";
import { untranslated } from "./untranslated.ts";

/** What the page of one upstream shows. */
export interface UpstreamPageData {
  readonly row: UpstreamRow;
  readonly values: UpstreamValues;
  readonly faults?: UpstreamFaults;
  readonly report?: ConnectionReport;
  readonly done?: keyof Catalog["upstreams"]["done"];
}

/** One upstream: how it is called and fares, and what may be changed. */
export function UpstreamPage({ view, data }: { view: AccountView; data: UpstreamPageData }) {
  const { upstreams: texts } = view.catalog;
  const { row, values, faults = {}, report, done } = data;
  const { id, origin } = row.upstream;
  return (
    <ConsolePage view={view} title={id} place="upstreams">
      <a class="link back" href="/console/admin/upstreams" aria-current="false">
        <Icon name="arrow-left" small />
        {texts.back}
      </a>
      {done && <Notice text={texts.done[done]} />}
      {report && <Report view={view} report={report} />}
      <UpstreamFacts view={view} row={row} />
      <HealthTable view={view} health={row.health} />
      {origin === "console" && (
        <section class="panel" aria-labelledby="edit">
          <header>
            <h2 id="edit">{texts.edit}</h2>
          </header>
          <form
            class="body fields"
            method="post"
            action={`/console/admin/upstreams/${id}`}
            noValidate
          >
            <UpstreamFields view={view} values={values} faults={faults} isNew={false} />
            <div class="actions start">
              <button class="button primary" type="submit">{texts.save}</button>
            </div>
          </form>
        </section>
      )}
    </ConsolePage>
  );
}

function Report({ view, report }: { view: AccountView; report: ConnectionReport }) {
  const { catalog: { upstreams: texts }, formats } = view;
  const { isReady, advice, url, status, tookMs, said, models, suggestedBaseUrl } = report;
  const took = formats.span(tookMs);
  return (
    <section class="panel" aria-labelledby="tested">
      <header>
        <h2 id="tested">{texts.testTitle}</h2>
      </header>
      <div class="body fields" role="status">
        <p>
          <Status tone={isReady ? "ok" : "bad"}>
            <span lang="en">{advice}</span>
          </Status>
        </p>
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
    </section>
  );
}
