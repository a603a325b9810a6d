import Notice from "../../islands/Notice.tsx";
import type { AccountView, Catalog, ConnectionReport } from "../../lib/console/page/view.ts";
import type { UpstreamFaults, UpstreamValues } from "../../lib/console/upstreams/upstream_form.ts";
import type { UpstreamRow } from "../../lib/console/upstreams/upstream_list.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { ConnectionResult } from "./ConnectionResult.tsx";
import { HealthTable } from "./HealthTable.tsx";
import { UpstreamFacts } from "./UpstreamFacts.tsx";
import { UpstreamFields } from "./UpstreamFields.tsx";
import { UpstreamKeys } from "./UpstreamKeys.tsx";
import { UpstreamLife } from "./UpstreamLife.tsx";

/** The data of the page of one upstream. */
export interface UpstreamPageData {
  readonly row: UpstreamRow;
  readonly values: UpstreamValues;
  readonly faults?: UpstreamFaults;
  readonly report?: ConnectionReport;
  /** Set if the entered keys cannot be added. */
  readonly hasKeyFault?: boolean;
}

/** One upstream: configuration, health, and the form to change it. */
export function UpstreamPage(
  { view, data, done }: {
    view: AccountView;
    data: UpstreamPageData;
    /** The last action. */
    done?: keyof Catalog["upstreams"]["done"];
  },
) {
  const { upstreams: texts, upstreamAdmin } = view.catalog;
  const { row, values, faults = {}, report, hasKeyFault = false } = data;
  const { id, origin, enabled } = row.upstream;
  return (
    <ConsolePage view={view} title={id} place="upstreams">
      <A class="link back" href="/console/admin/upstreams">
        <Icon name="arrow-left" small />
        {texts.back}
      </A>
      {done && <Notice text={texts.done[done]} />}
      {report && (
        <ConnectionResult
          view={view}
          report={report}
          remark={!enabled && !report.isReady ? upstreamAdmin.stillDisabled : undefined}
        />
      )}
      <UpstreamFacts view={view} row={row} />
      <UpstreamLife view={view} row={row} />
      <UpstreamKeys view={view} row={row} hasFault={hasKeyFault} />
      <HealthTable view={view} health={row.health} />
      {origin === "console" && (
        <Panel id="edit" title={texts.edit}>
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
        </Panel>
      )}
    </ConsolePage>
  );
}
