import { may } from "../accounts/mod.ts";
import { type ApiKey, listRequestLogs, type RequestLogRow } from "../store/mod.ts";
import type { RuntimeFault } from "../telemetry/mod.ts";
import type { AccountState } from "./state.ts";
import { type UnpricedUse, unpricedUse } from "./unpriced_use.ts";
import { standingOfUpstream, type UpstreamState } from "./upstream_state.ts";

/** What is wrong beside what runs low, as far as the reader can do something about it. */
export interface Troubles {
  /** Of the last hour, by cause, the most frequent first. */
  readonly failures: readonly FailureGroup[];
  /** Since when failures are counted. */
  readonly sinceMs: number;
  readonly expiring: readonly ApiKey[];
  /** To administrators alone: upstreams that are not called. */
  readonly upstreams: readonly { readonly id: string; readonly state: UpstreamState }[];
  /** To administrators alone: the Deno that runs the gateway does not notice callers that leave. */
  readonly runtimeFault?: RuntimeFault;
  /** To administrators alone. */
  readonly unpriced: readonly UnpricedUse[];
}

/** Calls that failed alike. */
export interface FailureGroup {
  readonly example: RequestLogRow;
  readonly count: number;
}

const [hourMs, soonMs] = [3_600_000, 7 * 86_400_000];
const failuresRead = 100;
const notCalled: ReadonlySet<UpstreamState> = new Set(["open", "cooling", "sealed", "disabled"]);

export async function readTroubles(
  state: AccountState,
  keys: readonly ApiKey[],
): Promise<Troubles> {
  const { services: { store, runtime }, account: { user }, nowMs } = state;
  const sinceMs = nowMs - hourMs;
  const manages = may(user, "manage-upstreams");
  const [failed, unpriced] = await Promise.all([
    listRequestLogs(store, {
      accountId: user.id,
      status: "failed",
      fromMs: sinceMs,
      limit: failuresRead,
    }),
    manages ? unpricedUse(state) : [],
  ]);
  return {
    failures: byCause(failed.rows),
    sinceMs,
    expiring: keys.filter(({ enabled, expiresAtMs = Infinity }) =>
      enabled && expiresAtMs > nowMs && expiresAtMs - nowMs <= soonMs
    ),
    upstreams: manages ? upstreamsOut(state) : [],
    ...(manages && { runtimeFault: runtime?.fault }),
    unpriced,
  };
}

function byCause(rows: readonly RequestLogRow[]): readonly FailureGroup[] {
  const groups = Map.groupBy(
    rows,
    ({ status, errorCode, refusedBy }) => `${status} ${refusedBy?.name ?? errorCode}`,
  );
  return [...groups.values()].map((alike) => ({ example: alike[0], count: alike.length }))
    .sort((a, b) => b.count - a.count);
}

function upstreamsOut({ services: { directory, upstreams } }: AccountState): Troubles["upstreams"] {
  const health = upstreams?.health.snapshot() ?? [];
  return directory.upstreams().map((upstream) => {
    const own = health.filter(({ upstreamId }) => upstreamId === upstream.id);
    return { id: upstream.id, state: standingOfUpstream(upstream, own).state };
  }).filter(({ state }) => notCalled.has(state));
}
