import { may } from "../../accounts/mod.ts";
import { healthOfUpstream, type UpstreamState } from "../../admin/upstreams/upstream_state.ts";
import type { ApiKey } from "../../store/api_keys/mod.ts";
import { listRequestLogs, type RequestLogPage, type RequestLogRow } from "../../store/log/mod.ts";
import type { RuntimeFault } from "../../telemetry/mod.ts";
import { type DeniedKey, readDeniedKeys } from "../keys/denied_keys.ts";
import { type UnpricedUse, unpricedUse } from "../models/unpriced_use.ts";
import type { Who } from "../page/who.ts";
import type { AccountState } from "../session/state.ts";

/** Problems that the reader can act on, apart from low budgets and balances. */
export interface Troubles {
  readonly who: Who;
  /** Failed calls of the last hour by cause, the most frequent first. */
  readonly failures: readonly FailureGroup[];
  /** The start of the period in which failures are counted. */
  readonly sinceMs: number;
  readonly expiring: readonly ApiKey[];
  /** Refused calls of unusable keys, which have no row in the log. */
  readonly denied: readonly DeniedKey[];
  /** For administrators only: upstreams that receive no calls. */
  readonly upstreams: readonly { readonly id: string; readonly state: UpstreamState }[];
  /** For administrators only: the Deno in use does not detect disconnected clients. */
  readonly runtimeFault?: RuntimeFault;
  /** For administrators only. */
  readonly unpriced: readonly UnpricedUse[];
}

/** Failed calls with the same cause. */
interface FailureGroup {
  readonly example: RequestLogRow;
  readonly count: number;
  /** True if there may be more. */
  readonly more: boolean;
}

const [hourMs, soonMs] = [3_600_000, 7 * 86_400_000];
const failuresRead = 100;
const notCalled: ReadonlySet<UpstreamState> = new Set(["open", "cooling", "sealed", "disabled"]);

export async function readTroubles(
  state: AccountState,
  keys: readonly ApiKey[],
  who: Who,
): Promise<Troubles> {
  const { services: { store, runtime }, account: { user }, nowMs } = state;
  const sinceMs = nowMs - hourMs;
  const manages = may(user, "manage-upstreams");
  const [failed, unpriced, denied] = await Promise.all([
    listRequestLogs(store, {
      ...(who === "mine" && { accountId: user.id }),
      status: "failed",
      fromMs: sinceMs,
      limit: failuresRead,
    }),
    manages ? unpricedUse(state) : [],
    readDeniedKeys(state, keys),
  ]);
  return {
    who,
    failures: byCause(failed),
    denied,
    sinceMs,
    expiring: keys.filter(({ enabled, expiresAtMs = Infinity }) =>
      enabled && expiresAtMs > nowMs && expiresAtMs - nowMs <= soonMs
    ),
    upstreams: manages ? upstreamsOut(state) : [],
    ...(manages && { runtimeFault: runtime?.fault }),
    unpriced,
  };
}

function byCause({ rows, next }: RequestLogPage): readonly FailureGroup[] {
  const groups = Map.groupBy(
    rows,
    ({ status, errorCode, refusedBy, upstreamId }) =>
      `${status} ${refusedBy?.name ?? errorCode} ${upstreamId}`,
  );
  return [...groups.values()].map((alike) => ({
    example: alike[0],
    count: alike.length,
    more: next !== undefined,
  }))
    .sort((a, b) => b.count - a.count);
}

function upstreamsOut({ services: { directory, upstreams } }: AccountState): Troubles["upstreams"] {
  const health = upstreams?.health.snapshot() ?? [];
  return directory.upstreams().map((upstream) => {
    const own = health.filter(({ upstreamId }) => upstreamId === upstream.id);
    return { id: upstream.id, state: healthOfUpstream(upstream, own).state };
  }).filter(({ state }) => notCalled.has(state));
}
