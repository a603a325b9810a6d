import { may } from "../../accounts/mod.ts";
import { boundsOfSubject } from "../../admin/effective_bounds.ts";
import { listApiKeys } from "../../store/api_keys/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { getBalance } from "../../store/money/mod.ts";
import { subjects } from "../../store/usage/mod.ts";
import type { User } from "../../store/users/mod.ts";
import { groupsOf } from "../groups/account_groups.ts";
import type { PeriodSpan } from "../page/period.ts";
import { tryLoad } from "../page/reading.ts";
import type { Who } from "../page/who.ts";
import type { AccountState } from "../session/state.ts";
import { usedInWeek } from "../wallet/balance.ts";
import { attentionOf } from "./attention.ts";
import { readForecast } from "./figures.ts";
import { stepsBefore } from "./first_steps.ts";
import { keysBySpend } from "./keys_by_spend.ts";
import { readNearLimits, readOwnNearLimits } from "./near_limits.ts";
import type { SpendQuery } from "./spend_query.ts";
import { namesIn } from "./spend_names.ts";
import { countUsers, readSpending } from "./spending.ts";
import { readTroubles } from "./troubles.ts";
import { readUpstreamCosts } from "./upstream_costs.ts";

const latestRows = 5;
/** Active alerts on the overview; all of them are on the page of alerts. */
const alertsShown = 5;
const alertsMax = 200;

/** True for the reader's own keys, and for roles that read everyone's. */
function seesKeys(user: User, who: Who): boolean {
  return who === "mine" || may(user, "keys:read");
}

/** The data of the page of alerts; undefined values could not be read. */
export async function readAlerts(state: AccountState, who: Who) {
  const { services: { store }, account: { user }, nowMs } = state;
  const accountId = who === "mine" ? user.id : undefined;
  const keys = seesKeys(user, who)
    ? await tryLoad(listApiKeys(store, { ...(accountId && { accountId }) }))
    : undefined;
  const [attention, troubles] = await Promise.all([
    tryLoad(attentionOf(store, user, { nowMs, limit: alertsMax })),
    tryLoad(readTroubles(state, keys ?? [], who)),
  ]);
  return { who, attention, troubles };
}

/** The data of the overview; undefined values could not be read. */
export async function readOverview(state: AccountState, query: SpendQuery) {
  const { services: { store, directory }, account: { user }, nowMs } = state;
  const { who, span } = query;
  const accountId = who === "mine" ? user.id : undefined;
  const ownKeys = tryLoad(listApiKeys(store, { accountId: user.id }));
  const limited = who === "everyone" ? tryLoad(readNearLimits(state)) : undefined;
  const [keys, calls, attention, spending, organization] = await Promise.all([
    ownKeys,
    tryLoad(listRequestLogs(store, { ...(accountId && { accountId }), limit: latestRows })),
    tryLoad(attentionOf(store, user, { nowMs, limit: alertsShown })),
    tryLoad(readSpending(store, accountId, { ...query, nowMs })),
    limited,
  ]);
  const watched = seesKeys(user, who) ? organization?.keys ?? keys ?? [] : [];
  const groups = groupsOf(user, keys ?? [], directory);
  const [troubles, names, begun, own, everyone] = await Promise.all([
    tryLoad(readTroubles(state, watched, who)),
    spending && tryLoad(namesIn(store, spending, query)),
    calls === undefined || hasAnswers(store, accountId, calls.rows),
    who === "mine" ? readOwn(state, span, keys ?? []) : undefined,
    who === "everyone"
      ? readEveryone(state, span, {
        all: organization?.userCount,
        // The table of users is read already.
        used: query.dimension === "user" ? spending?.calledCount : undefined,
      })
      : undefined,
  ]);
  return {
    query,
    keys,
    groupIds: groups.map(({ id }) => id),
    steps: { ...stepsBefore({ builtIn: false }, state), call: false },
    upstreamCount: directory.upstreams().length,
    calls: calls?.rows,
    begun,
    attention,
    troubles,
    spending,
    names: names ?? new Map(),
    tagKeys: query.dimension === "tag" ? directory.tagKeys() : [],
    limits: organization?.near ?? own?.limits ?? [],
    bounds: own?.bounds,
    funds: own?.funds,
    spentKeys: own?.spentKeys,
    everyone,
  };
}

/** The data of the overview of one account alone. */
async function readOwn(
  state: AccountState,
  span: PeriodSpan,
  keys: Awaited<ReturnType<typeof listApiKeys>>,
) {
  const { services: { store }, account: { user }, nowMs } = state;
  const isPrepaid = user.spending === "prepaid";
  const [spentKeys, limits, bounds, balance, weekNanoUsd] = await Promise.all([
    tryLoad(keysBySpend(state, span, keys)),
    tryLoad(readOwnNearLimits(state, keys)),
    tryLoad(boundsOfSubject({ type: "account", account: user }, state)),
    isPrepaid ? tryLoad(getBalance(store, user.id)) : undefined,
    isPrepaid ? tryLoad(usedInWeek(store, user.id, nowMs)) : undefined,
  ]);
  const funds = balance && { balance, weekNanoUsd: weekNanoUsd ?? 0n };
  return { spentKeys, limits: limits ?? [], bounds, funds };
}

/** The data of the overview of all accounts alone. */
async function readEveryone(
  state: AccountState,
  span: PeriodSpan,
  users: { readonly all: number | undefined; readonly used: number | undefined },
) {
  const { services: { store, directory }, nowMs } = state;
  const [forecast, upstreams, used] = await Promise.all([
    tryLoad(readForecast(store, subjects.all(), nowMs)),
    tryLoad(readUpstreamCosts(state, span)),
    users.used ?? tryLoad(countUsers(store, { span, nowMs })),
  ]);
  const budgets = directory.organization()?.budgets;
  return {
    forecast,
    upstreams,
    limitNanoUsd: budgets?.find(({ period }) => period === "month")?.nanoUsd,
    users: used !== undefined && users.all !== undefined ? { used, all: users.all } : undefined,
  };
}

/** Returns true if the log has any answered call of the account, or of all accounts. */
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
