import type { HealthRow } from "../../routing/mod.ts";
import { credentialsOf } from "../../upstreams/mod.ts";
import { listUpstreams, servesGroup, type UpstreamRecord } from "../../store/catalog/mod.ts";
import { compactRows } from "../../store/settling/mod.ts";
import { tryLoad } from "../page/try_load.ts";
import { pageRowsOf } from "../page/page_rows.ts";
import type { AccountState } from "../session/state.ts";
import { healthOf } from "./upstream_page.ts";
import type { UpstreamColumn, UpstreamQuery } from "./upstream_query.ts";
import { healthOfUpstream, type UpstreamHealth } from "./upstream_state.ts";
import {
  type LastFailure,
  lastFailureOf,
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
  /** Absent where it could not be read. */
  readonly usage?: UpstreamUsage;
  readonly lastFailure?: LastFailure;
}

/** A page of the list. */
export interface UpstreamList {
  readonly rows: readonly ListedUpstream[];
  /** How many the query means, and how many there are. */
  readonly found: number;
  readonly total: number;
  readonly hasMore: boolean;
}

const upstreamsPerPage = 25;

export function upstreamRow(upstream: UpstreamRecord, state: AccountState): UpstreamRow {
  const health = healthOf(upstream.id, state);
  return {
    upstream,
    health,
    status: healthOfUpstream(upstream, health),
    running: state.services.upstreams?.health.running(upstream.id) ?? 0,
  };
}

/** The upstreams that a query means, in its order. Sums are read for those that are shown, or for all where the order asks for them. */
export async function listedUpstreams(
  query: UpstreamQuery,
  state: AccountState,
): Promise<UpstreamList> {
  const { store } = state.services;
  const all = (await listUpstreams(store)).map((one) => upstreamRow(one, state));
  await tryLoad(compactRows(store)); // once: reads that each begin it get in each other's way
  const found = all.filter((row) => isMeant(row, query));
  const byUsage = query.column === "success" || query.column === "firstByte";
  const sums = (rows: readonly UpstreamRow[]) =>
    Promise.all(rows.map((row) => withUsage(row, query, state)));
  const pageRows = pageRowsOf(state.services, upstreamsPerPage);
  const start = (query.page - 1) * pageRows;
  const shown = (rows: readonly ListedUpstream[]) => rows.slice(start, start + pageRows);
  return {
    rows: byUsage
      ? shown(sorted(await sums(found), query))
      : await sums(shown(sorted(found, query))),
    found: found.length,
    total: all.length,
    hasMore: found.length > start + pageRows,
  };
}

async function withUsage(
  row: UpstreamRow,
  { period }: UpstreamQuery,
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

/** What failed last: an attempt that this process saw, or a call that the log has. */
function latest(
  health: readonly HealthRow[],
  logged: LastFailure | undefined,
): LastFailure | undefined {
  const seen: LastFailure[] = health.flatMap(({ lastError }) => lastError ? [lastError] : []);
  const [last] = seen.toSorted((a, b) => b.atMs - a.atMs);
  const isSameCall = last && logged && last.code === logged.code;
  return !last || isSameCall || (logged && logged.atMs > last.atMs) ? logged : last;
}

function isMeant(
  { upstream, status }: UpstreamRow,
  { text, state, group, origin }: UpstreamQuery,
): boolean {
  const { id, preset = "", models, endpoints } = upstream;
  const words = [id, preset, ...models.map((one) => one.id), ...Object.values(endpoints)];
  return words.some((word) => word.toLowerCase().includes(text.toLowerCase())) &&
    (state === undefined || status.state === state) &&
    (group === undefined || servesGroup(upstream, group)) &&
    (origin === undefined || upstream.origin === origin);
}

/** In the query's order; of equals those first that are tried first. */
function sorted(rows: readonly ListedUpstream[], { column, descending }: UpstreamQuery) {
  const valueOf = sortValues[column];
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) =>
    sign * compare(valueOf(a), valueOf(b)) ||
    b.upstream.priority - a.upstream.priority || compare(a.upstream.id, b.upstream.id)
  );
}

const sortValues = {
  name: ({ upstream }) => upstream.id.toLowerCase(),
  order: ({ upstream }) => upstream.priority,
  running: ({ running }) => running,
  success: ({ usage }) => usage?.successShare ?? 2,
  firstByte: ({ usage }) => usage?.firstByteMs?.p50 ?? Number.MAX_SAFE_INTEGER,
} as const satisfies Record<UpstreamColumn, (row: ListedUpstream) => string | number>;

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The credentials that were refused lately, by their names in the log. */
export function refusedCredentials({ upstream, health }: UpstreamRow): readonly string[] {
  const refused = new Set(
    health.filter(({ lastError, state }) =>
      state !== "closed" && lastError?.code === "upstream_unauthorized"
    ).map(({ credentialId }) => credentialId),
  );
  return credentialsOf(upstream).map(({ id }) => id).filter((id) => refused.has(id));
}
