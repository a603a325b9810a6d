import { page } from "fresh";
import { A, Onward } from "../../../../components/A.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { Failed } from "../../../../components/States.tsx";
import { CallTable } from "../../../../components/calls/CallTable.tsx";
import {
  KeyBounds,
  KeyFacts,
  KeyFigures,
  KeyHead,
  keyLog,
} from "../../../../components/keys/KeyDetail.tsx";
import { KeyFlash } from "../../../../components/keys/KeyFlash.tsx";
import {
  KeyCallers,
  KeyChanges,
  KeyDenied,
  KeyErrors,
} from "../../../../components/keys/KeyUse.tsx";
import { RecordingPanel } from "../../../../components/keys/Recording.tsx";
import { SubjectCost } from "../../../../components/keys/SubjectUsage.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import DeleteKey from "../../../../islands/DeleteKey.tsx";
import { keyStatusOf } from "../../../../lib/admin/keys/key_status.ts";
import { readRecordingState } from "../../../../lib/console/calls/recordings.ts";
import { usualLook } from "../../../../lib/console/calls/log_look.ts";
import { readKeyPage } from "../../../../lib/console/keys/key_page.ts";
import { readableKey } from "../../../../lib/console/keys/own_key.ts";
import { takeFlash } from "../../../../lib/console/page/flash.ts";
import { longestPeriod, readPeriod } from "../../../../lib/console/page/period.ts";
import { accountPage, type AccountView } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import type { ApiKey } from "../../../../lib/store/api_keys/mod.ts";
import type { RequestLogRow } from "../../../../lib/store/log/mod.ts";

/** One key: its usage in `?period=`, its latest calls and its settings. */
export const handler = defineForAccount.handlers({
  async GET({ req, params, state, url }) {
    const headers = new Headers();
    const flash = await takeFlash(req, headers, state);
    const apiKey = await readableKey(params.id, state);
    const span = readPeriod(url.searchParams, longestPeriod, state);
    const used = await readKeyPage(state, apiKey, span);
    const usedShare = Math.max(0, ...(used.budgets ?? []).map(({ share }) => share));
    const recording = await readRecordingState(state, { ...apiKey, keyId: apiKey.id });
    const groups = state.services.directory.groups();
    const status = keyStatusOf(apiKey, { groups, nowMs: state.nowMs, usedShare });
    return page({ flash, apiKey, status, used, recording }, { headers });
  },
});

export default accountPage<typeof handler>(({ data, url, view }) => {
  const { keyPage, keyList, deleteKey, spend } = view.catalog;
  const { flash, apiKey, status, used, recording } = data;
  return (
    <ConsolePage view={view} title={apiKey.name} place="keys" split>
      <KeyFlash view={view} flash={flash} back={url.pathname} />
      <KeyHead view={view} apiKey={apiKey} status={status} owner={used.owner} />
      {status === "groupless" && (
        <div class="alert across" role="note">
          <Icon name="circle-alert" />
          <p>
            {keyList.groupGone(apiKey.groupId)}{" "}
            <A href={`/console/token/${apiKey.id}/edit`}>{keyList.chooseGroup}</A>
          </p>
        </div>
      )}
      <KeyFigures view={view} apiKey={apiKey} data={used} />
      <div class="stack">
        <SubjectCost
          view={view}
          title={keyPage.costByModel}
          usage={used.usage}
          lastCallMs={used.calls?.[0]?.atMs}
          nameOf={(model) => model}
          others={spend.without.model}
          log={keyLog(apiKey)}
        />
        <Latest view={view} apiKey={apiKey} calls={used.calls} />
        <KeyFacts view={view} apiKey={apiKey} former={used.former} />
        <KeyChanges view={view} apiKey={apiKey} data={used} />
      </div>
      <aside class="stack">
        <KeyBounds view={view} data={used} />
        <RecordingPanel view={view} state={recording} path={url.pathname} />
        <KeyDenied view={view} data={used} />
        <KeyErrors view={view} apiKey={apiKey} data={used} />
        <KeyCallers view={view} apiKey={apiKey} data={used} />
      </aside>
      {view.opens(`/console/token/${apiKey.id}/delete`) && (
        <DeleteKey text={deleteKey.text} cancel={deleteKey.cancel} />
      )}
    </ConsolePage>
  );
});

const withoutKey = {
  ...usualLook,
  columns: usualLook.columns.filter((column) => column !== "key"),
};

function Latest(
  { view, apiKey, calls }: {
    view: AccountView;
    apiKey: ApiKey;
    calls: readonly RequestLogRow[] | undefined;
  },
) {
  const { overview, log, keyPage } = view.catalog;
  return (
    <Panel
      id="latest"
      title={overview.latest}
      end={
        <>
          <Onward href={`/console/token/${apiKey.id}/sessions`}>{keyPage.sessions.title}</Onward>
          <Onward href={`/console/log?${new URLSearchParams(keyLog(apiKey))}`}>
            {overview.latestAll}
          </Onward>
        </>
      }
    >
      {calls === undefined
        ? <Failed view={view} title={log.failed} />
        : calls.length === 0
        ? <p class="body soft">{keyPage.noCalls}</p>
        : <CallTable view={view} calls={calls} look={withoutKey} />}
    </Panel>
  );
}
