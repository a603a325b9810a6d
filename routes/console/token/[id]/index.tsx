import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { CallTable } from "../../../../components/calls/CallTable.tsx";
import { KeyActions } from "../../../../components/keys/KeyActions.tsx";
import { KeyDenied } from "../../../../components/keys/KeyDenied.tsx";
import { KeyBudgets, KeyFacts, KeyFigures } from "../../../../components/keys/KeyDetail.tsx";
import {
  KeyCallers,
  KeyChanges,
  KeyErrors,
  KeySpend,
} from "../../../../components/keys/KeyUse.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import DeleteKey from "../../../../islands/DeleteKey.tsx";
import { readKeyPage } from "../../../../lib/console/keys/key_page.ts";
import { keyStatusOf } from "../../../../lib/console/keys/key_status.ts";
import { readableKey } from "../../../../lib/console/keys/own_key.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/** One key: its settings, its usage and its latest calls. */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    const apiKey = await readableKey(params.id, state);
    const used = await readKeyPage(state, apiKey);
    const usedShare = Math.max(0, ...(used.budgets ?? []).map(({ share }) => share));
    const groups = state.services.directory.groups();
    const status = keyStatusOf(apiKey, { groups, nowMs: state.nowMs, usedShare });
    return page({ apiKey, status, used });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { keys, keyPage, keyList, overview, deleteKey, log } = view.catalog;
  const { apiKey, status, used } = data;
  const calls = used.calls ?? [];
  return (
    <ConsolePage view={view} title={apiKey.name} place="keys">
      <div class="across actions start">
        <A class="link" href="/console/token">
          <Icon name="arrow-left" small />
          {keys.title}
        </A>
        <span class="spacer" />
        {apiKey.origin === "console"
          ? <KeyActions view={view} apiKey={apiKey} />
          : <span class="hint">{keys.declaredHint}</span>}
      </div>
      {status === "groupless" && (
        <div class="alert" role="note">
          <Icon name="circle-alert" />
          <p>
            {keyList.groupGone(apiKey.groupId)}{" "}
            <A href={`/console/token/${apiKey.id}/edit`}>{keyList.chooseGroup}</A>
          </p>
        </div>
      )}
      <KeyFigures view={view} data={used} />
      <div class="key-halves">
        <div class="stack">
          <KeySpend view={view} apiKey={apiKey} data={used} />
          <KeyFacts view={view} apiKey={apiKey} status={status} former={used.former} />
        </div>
        <div class="stack">
          <KeyBudgets view={view} data={used} />
          <KeyDenied view={view} data={used} />
          <KeyErrors view={view} apiKey={apiKey} data={used} />
          <KeyCallers view={view} apiKey={apiKey} data={used} />
          <KeyChanges view={view} apiKey={apiKey} data={used} />
        </div>
      </div>
      <Panel
        id="latest"
        title={overview.latest}
        end={
          <A class="link" href={`/console/log?key=${apiKey.id}`}>
            {overview.latestAll}
            <Icon name="arrow-right" small />
          </A>
        }
      >
        {used.calls === undefined
          ? <p class="body soft">{log.failed}</p>
          : calls.length === 0
          ? <p class="body soft">{keyPage.noCalls}</p>
          : <CallTable view={view} calls={calls} />}
      </Panel>
      <DeleteKey text={deleteKey.text} cancel={deleteKey.cancel} />
    </ConsolePage>
  );
});
