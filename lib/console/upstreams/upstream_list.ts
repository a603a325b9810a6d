import {
  healthOf,
  healthOfUpstream,
  type UpstreamHealth,
  upstreamStates,
} from "../../admin/upstreams/upstream_state.ts";
import type { HealthRow } from "../../routing/mod.ts";
import { listUpstreams, servesGroup, type UpstreamRecord } from "../../store/catalog/mod.ts";
import { compactRows } from "../../store/settling/mod.ts";
import { credentialsOf } from "../../upstreams/mod.ts";
import { defineList, listPage, type QueryOf } from "../page/define_list.ts";
import { choice, search, textField } from "../page/list_fields.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";
import { type UpstreamFigures, upstreamFigures } from "./upstream_figures.ts";

/** An upstream, and what this process has seen of it. */
export interface UpstreamRow {
  readonly upstream: UpstreamRecord;
  readonly health: readonly HealthRow[];
  readonly status: UpstreamHealth;
  /** Attempts that are out now, in this process. */
  readonly running: number;
}

/** The same with its usage. */
export interface ListedUpstream extends UpstreamRow {
  /** Absent if it could not be read. */
  readonly figures?: UpstreamFigures;
}

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
  },
  sort: {
    columns: {
      name: ({ upstream }) => upstream.id.toLowerCase(),
      order: ({ upstream }) => upstream.priority,
      success: ({ figures }) => figures?.successShare ?? 2,
      firstByte: ({ figures }) => figures?.firstByteMs?.p50 ?? Number.MAX_SAFE_INTEGER,
      calls: ({ figures }) => figures?.calls ?? -1,
      spend: ({ figures }) => figures?.spentNanoUsd ?? -1n,
    },
    usual: { column: "order", descending: true },
    descendingFirst: ["order", "success", "firstByte", "calls", "spend"],
    then: ({ upstream: a }, { upstream: b }) => b.priority - a.priority || (a.id < b.id ? -1 : 1),
    detailed: ["success", "firstByte", "calls", "spend"],
  },
  pageRows: 25,
});
type UpstreamQuery = QueryOf<typeof upstreamList>;

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
    Promise.all(some.map((row) => withFigures(row, state)));
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

async function withFigures(
  row: UpstreamRow,
  { services: { store }, nowMs }: AccountState,
): Promise<ListedUpstream> {
  const figures = await tryLoad(upstreamFigures(store, row.upstream.id, nowMs));
  return { ...row, ...(figures && { figures }) };
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
