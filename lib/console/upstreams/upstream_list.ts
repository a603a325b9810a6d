import type { HealthRow } from "../../routing/mod.ts";
import { listUpstreams, servesGroup, type UpstreamRecord } from "../../store/catalog/mod.ts";
import { compactRows } from "../../store/settling/mod.ts";
import { credentialsOf } from "../../upstreams/mod.ts";
import {
  choice,
  defineList,
  listPage,
  option,
  type QueryOf,
  search,
  textField,
} from "../page/define_list.ts";
import { tryLoad } from "../page/try_load.ts";
import type { AccountState } from "../session/state.ts";
import { healthOf } from "./upstream_page.ts";
import { healthOfUpstream, type UpstreamHealth, upstreamStates } from "./upstream_state.ts";
import {
  type LastFailure,
  lastFailureOf,
  type UpstreamPeriod,
  upstreamPeriods,
  type UpstreamUsage,
  upstreamUsage,
} from "./upstream_usage.ts";

/** An upstream, and what this process has seen of it. */
export interface UpstreamRow {
  readonly upstream: UpstreamRecord;
  readonly health: readonly HealthRow[];
  readonly status: UpstreamHealth;
  /** Attempts that are out now, in this process. */
  readonly running: number;
}

/** The same with what the store has of it. */
export interface ListedUpstream extends UpstreamRow {
  /** Absent if it could not be read. */
  readonly usage?: UpstreamUsage;
  readonly lastFailure?: LastFailure;
}

export const usualPeriod = "24h";
const periods = Object.keys(upstreamPeriods) as UpstreamPeriod[]; // the table's own keys

/** All upstreams; ties are in routing order. */
export const upstreamList = defineList<ListedUpstream>()({
  path: "/console/admin/upstreams",
  fields: {
    q: search(({ upstream: { id, preset = "", models, endpoints } }) => [
      id,
      preset,
      ...models.map((one) => one.id),
      ...Object.values(endpoints),
    ]),
    state: choice(upstreamStates, ({ status }, state) => status.state === state),
    serves: textField(({ upstream }, group) => servesGroup(upstream, group)),
    from: choice(["console", "config"], ({ upstream }, origin) => upstream.origin === origin),
    period: option(periods),
  },
  sort: {
    columns: {
      name: ({ upstream }) => upstream.id.toLowerCase(),
      order: ({ upstream }) => upstream.priority,
      running: ({ running }) => running,
      success: ({ usage }) => usage?.successShare ?? 2,
      firstByte: ({ usage }) => usage?.firstByteMs?.p50 ?? Number.MAX_SAFE_INTEGER,
    },
    usual: { column: "order", descending: true },
    descendingFirst: ["order", "running", "success", "firstByte"],
    then: ({ upstream: a }, { upstream: b }) => b.priority - a.priority || (a.id < b.id ? -1 : 1),
    detailed: ["success", "firstByte"],
  },
  pageRows: 25,
});
export type UpstreamQuery = QueryOf<typeof upstreamList>;

export function upstreamRow(upstream: UpstreamRecord, state: AccountState): UpstreamRow {
  const health = healthOf(upstream.id, state);
  return {
    upstream,
    health,
    status: healthOfUpstream(upstream, health),
    running: state.services.upstreams?.health.running(upstream.id) ?? 0,
  };
}

export async function readUpstreamList(query: UpstreamQuery, state: AccountState) {
  const { services } = state;
  const rows = (await listUpstreams(services.store)).map((one) => upstreamRow(one, state));
  await tryLoad(compactRows(services.store)); // once: concurrent reads would each start one and collide
  const details = (some: readonly ListedUpstream[]) =>
    Promise.all(some.map((row) => withUsage(row, query, state)));
  return await listPage<
    ListedUpstream,
    typeof upstreamList.fields,
    UpstreamQuery["sort"]["column"]
  >(
    upstreamList,
    rows,
    { query, services, details },
  );
}

async function withUsage(
  row: UpstreamRow,
  { fields: { period = usualPeriod } }: UpstreamQuery,
  { services: { store }, nowMs }: AccountState,
): Promise<ListedUpstream> {
  const { id } = row.upstream;
  const [usage, logged] = await Promise.all([
    tryLoad(upstreamUsage(store, id, { period, nowMs })),
    tryLoad(lastFailureOf(store, id)),
  ]);
  const lastFailure = latest(row.health, logged);
  return { ...row, ...(usage && { usage }), ...(lastFailure && { lastFailure }) };
}

/** The last failure: an attempt in this process, or a call in the log. */
function latest(
  health: readonly HealthRow[],
  logged: LastFailure | undefined,
): LastFailure | undefined {
  const seen: LastFailure[] = health.flatMap(({ lastError }) => lastError ? [lastError] : []);
  const [last] = seen.toSorted((a, b) => b.atMs - a.atMs);
  const isSameCall = last && logged && last.code === logged.code;
  return !last || isSameCall || (logged && logged.atMs > last.atMs) ? logged : last;
}

/** The credentials that were refused recently, by their names in the log. */
export function refusedCredentials({ upstream, health }: UpstreamRow): readonly string[] {
  const refused = new Set(
    health.filter(({ lastError, state }) =>
      state !== "closed" && lastError?.code === "upstream_unauthorized"
    ).map(({ credentialId }) => credentialId),
  );
  return credentialsOf(upstream).map(({ id }) => id).filter((id) => refused.has(id));
}
