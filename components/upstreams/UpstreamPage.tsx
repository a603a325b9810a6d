import type { Flash } from "../../lib/console/page/flash.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ConnectionReport } from "../../lib/upstreams/mod.ts";
import type { UpstreamDetail } from "../../lib/console/upstreams/upstream_detail.ts";
import type { UpstreamFaults, UpstreamValues } from "../../lib/admin/upstreams/upstream_form.ts";
import { type Undo, UndoNotice } from "../layout/UndoNotice.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { ConnectionResult } from "./ConnectionResult.tsx";
import { UpstreamAdvice, UpstreamLastError } from "./UpstreamAdvice.tsx";
import { UpstreamChart } from "./UpstreamChart.tsx";
import { UpstreamHead } from "./UpstreamHead.tsx";
import { UpstreamKeys } from "./UpstreamKeys.tsx";
import { UpstreamLife } from "./UpstreamLife.tsx";
import { UpstreamModels } from "./UpstreamModels.tsx";
import { UpstreamSettings } from "./UpstreamSettings.tsx";
import { UpstreamStrip } from "./UpstreamStrip.tsx";

/** The data of the page of one upstream. */
export interface UpstreamPageData {
  readonly detail: UpstreamDetail;
  /** The upstream that was just disabled. */
  readonly flash?: Flash;
  readonly values: UpstreamValues;
  readonly faults?: UpstreamFaults;
  readonly report?: ConnectionReport;
  /** Set if the entered keys cannot be added. */
  readonly hasKeyFault?: boolean;
}

interface UpstreamPageProps {
  readonly view: AccountView;
  readonly data: UpstreamPageData;
  /** The last action. */
  readonly done?: keyof Catalog["upstreams"]["done"];
}

/** One upstream: its state and figures, what can be done, then its settings in folds. */
export function UpstreamPage({ view, data, done }: UpstreamPageProps) {
  const { upstreams: texts } = view.catalog;
  const { detail, values, faults = {}, hasKeyFault = false } = data;
  const { row } = detail;
  return (
    <ConsolePage view={view} title={row.upstream.id} place="upstreams" split>
      {done && (
        <div class="across">
          <UndoNotice view={view} text={texts.done[done]} undo={undoOf(data)} />
        </div>
      )}
      <Tested view={view} data={data} />
      <UpstreamHead view={view} detail={detail} />
      <UpstreamStrip view={view} detail={detail} />
      <div class="stack">
        <UpstreamChart view={view} detail={detail} />
        <UpstreamModels view={view} detail={detail} />
        <div class="folds">
          <UpstreamKeys view={view} row={row} hasFault={hasKeyFault} />
          <UpstreamSettings view={view} upstream={row.upstream} values={values} faults={faults} />
          <UpstreamLife view={view} row={row} />
        </div>
      </div>
      <aside class="stack">
        <UpstreamAdvice view={view} detail={detail} />
        <UpstreamLastError view={view} detail={detail} />
      </aside>
    </ConsolePage>
  );
}

function Tested({ view, data: { report, detail } }: Omit<UpstreamPageProps, "done">) {
  if (report === undefined) return null;
  const isOff = !detail.row.upstream.enabled && !report.isReady;
  return (
    <div class="across">
      <ConnectionResult
        view={view}
        report={report}
        remark={isOff ? view.catalog.upstreamAdmin.stillDisabled : undefined}
      />
    </div>
  );
}

/** Enables an upstream that was just disabled, and still is. */
function undoOf({ flash, detail: { row: { upstream } } }: UpstreamPageData): Undo | undefined {
  const { id, enabled, origin } = upstream;
  if (flash?.type !== "upstream-disabled" || flash.id !== id) return undefined;
  if (enabled || origin === "config") return undefined;
  return { path: `/console/admin/upstreams/${id}/enabled`, fields: [["enabled", "true"]] };
}
