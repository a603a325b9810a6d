import { page } from "fresh";
import { A } from "../../components/A.tsx";
import { Icon } from "../../components/Icon.tsx";
import { LatestCalls } from "../../components/calls/LatestCalls.tsx";
import { BaseUrls } from "../../components/connect/BaseUrls.tsx";
import { ClientLinks } from "../../components/connect/ClientLinks.tsx";
import { CreateKeyAction, CreateKeyLink } from "../../components/keys/CreateKeyAction.tsx";
import { ConsolePage } from "../../components/layout/ConsolePage.tsx";
import { AttentionPanel } from "../../components/overview/AttentionPanel.tsx";
import { FirstCall } from "../../components/overview/FirstCall.tsx";
import { KeysBySpend } from "../../components/overview/KeysBySpend.tsx";
import { OverviewStrip } from "../../components/overview/OverviewStrip.tsx";
import { SpendPanel } from "../../components/overview/SpendPanel.tsx";
import { may } from "../../lib/accounts/mod.ts";
import { groupsOf } from "../../lib/console/groups/account_groups.ts";
import { defaultModel } from "../../lib/console/models/model_rows.ts";
import { modelRows } from "../../lib/console/models/model_rows.ts";
import { type AttentionItem, attentionOf } from "../../lib/console/overview/attention.ts";
import { keysBySpend } from "../../lib/console/overview/keys_by_spend.ts";
import { readSpending, readSpendQuery } from "../../lib/console/overview/spending.ts";
import { readTroubles, type Troubles } from "../../lib/console/overview/troubles.ts";
import { tryLoad } from "../../lib/console/page/try_load.ts";
import { type AccountView, accountView } from "../../lib/console/page/view.ts";
import { readWho } from "../../lib/console/page/who.ts";
import { defineForAccount } from "../../lib/console/session/state.ts";
import { usedInWeek } from "../../lib/console/wallet/balance.ts";
import { listApiKeys } from "../../lib/store/api_keys/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { getBalance } from "../../lib/store/money/mod.ts";

const latestRows = 6;

/**
 * The overview of the account, or with `?who=` of all accounts: `?period=` sets the time range of
 * the chart, `?by=` its grouping.
 */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    const { services: { store, directory }, account: { user }, nowMs } = state;
    const who = readWho(url.searchParams, state);
    const accountId = who === "mine" ? user.id : undefined;
    const query = readSpendQuery(url.searchParams);
    const reading = tryLoad(listApiKeys(store, { accountId: user.id }));
    const [keys, calls, attention, troubles, spending, balance, weekNanoUsd] = await Promise.all([
      reading,
      tryLoad(listRequestLogs(store, { accountId, limit: latestRows })),
      tryLoad(attentionOf(store, user, nowMs)),
      tryLoad(reading.then((keys) => readTroubles(state, keys ?? []))),
      tryLoad(readSpending(store, accountId, { ...query, nowMs })),
      tryLoad(getBalance(store, user.id)),
      tryLoad(usedInWeek(store, user.id, nowMs)),
    ]);
    const groups = groupsOf(user, keys ?? [], directory);
    return page({
      who,
      query,
      keys,
      spentKeys: spending && keys && await tryLoad(keysBySpend(state, spending, keys)),
      groupIds: groups.map(({ id }) => id),
      model: defaultModel(modelRows(groups, directory, nowMs), nowMs),
      calls: calls?.rows,
      upstreamCount: may(user, "manage-upstreams") ? directory.upstreams().length : undefined,
      begun: calls === undefined || await hasAnswers(store, accountId, calls.rows),
      nowMs,
      attention,
      troubles,
      spending,
      funds: { balance, weekNanoUsd: weekNanoUsd ?? 0n },
    });
  },
});

/** Returns true if the log has any answered call of the account. */
async function hasAnswers(
  store: Store,
  accountId: string | undefined,
  latest: readonly RequestLogRow[],
): Promise<boolean> {
  if (latest.some(({ outcome }) => outcome === "completed")) return true;
  if (latest.length < latestRows) return false;
  const answered = await listRequestLogs(store, { accountId, status: "completed", limit: 1 });
  return answered.rows.length > 0;
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { query, keys, groupIds, calls, begun, spending } = data;
  return (
    <ConsolePage
      view={view}
      title={view.catalog.overview.title}
      place="overview"
      who={data.who}
      split
      action={begun
        ? <CreateKeyAction view={view} groups={groupIds} />
        : <CreateKeyLink view={view} />}
    >
      {begun && (
        <OverviewStrip
          view={view}
          {...data.funds}
          unlimited={state.account.user.spending === "unlimited"}
          spending={spending}
          period={query.period}
        />
      )}
      <div class="stack">
        {begun
          ? (
            <SpendPanel
              view={view}
              query={query}
              spending={spending}
              lastCallMs={calls?.[0]?.atMs}
            />
          )
          : (
            <FirstCall
              view={view}
              origin={url.origin}
              keys={keys ?? []}
              model={data.model}
              last={calls?.[0]}
              upstreamCount={data.upstreamCount}
              sinceMs={data.nowMs}
            />
          )}
        {begun && spending && spending.keys.length > 0 && (
          <KeysBySpend view={view} spending={spending} keys={data.spentKeys} />
        )}
        <LatestCalls view={view} calls={calls} />
      </div>
      <Aside view={view} origin={url.origin} attention={data.attention} troubles={data.troubles} />
    </ConsolePage>
  );
});

function Aside(
  { view, origin, attention, troubles }: {
    view: AccountView;
    origin: string;
    attention: readonly AttentionItem[] | undefined;
    troubles: Troubles | undefined;
  },
) {
  return (
    <aside class="stack">
      <AttentionPanel view={view} items={attention} troubles={troubles} />
      <BaseUrls view={view} origin={origin} />
      <ClientLinks view={view} />
      <A class="link" href="/console/pricing">
        {view.catalog.models.title}
        <Icon name="arrow-right" small />
      </A>
    </aside>
  );
}
