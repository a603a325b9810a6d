import type { ApiKey } from "../store/api_keys/mod.ts";
import type { CallSession } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { compactRows } from "../store/settling/mod.ts";
import {
  addCounts,
  type Counts,
  eachSessionHour,
  noCounts,
  readCounts,
  type RollupPoint,
  subjects,
  subtractCounts,
} from "../store/usage/mod.ts";

/** A session of a key in the last 30 days. */
export interface SessionSummary {
  readonly id: string;
  /** The starts of its first and its last hour with calls. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly counts: Counts;
}

/** The calls of a sub-agent, of a request class, or of both; without either, all others. */
interface SessionPart extends Omit<CallSession, "id"> {
  readonly counts: Counts;
}

/** The usage of one session. */
interface SessionUsage {
  readonly counts: Counts;
  /** Oldest first, without hours that have no calls. */
  readonly hours: readonly RollupPoint<Counts>[];
  /** Ordered by cost; adds up to `counts`. */
  readonly parts: readonly SessionPart[];
}

type KeyId = Pick<ApiKey, "id">;

/** The sessions of a key, the last used first. */
export async function keySessions(store: Store, key: KeyId): Promise<SessionSummary[]> {
  await compactRows(store);
  const found = new Map<string, SessionSummary>();
  for await (const { value: id, atMs, sum } of eachSessionHour(store, "session", key.id)) {
    const { firstAtMs, counts } = found.get(id) ?? { firstAtMs: atMs, counts: noCounts };
    found.set(id, { id, firstAtMs, lastAtMs: atMs, counts: addCounts(counts, sum) });
  }
  return [...found.values()].sort((a, b) => b.lastAtMs - a.lastAtMs);
}

/**
 * The usage of a session of a key, or of one sub-agent of it; without calls if there is no such
 * session.
 */
export async function sessionUsage(
  store: Store,
  key: KeyId,
  { id, agent }: Pick<CallSession, "id" | "agent">,
): Promise<SessionUsage> {
  await compactRows(store);
  const ever = { step: "hour", fromMs: 0, toMs: Date.now() + 1 } as const;
  const [all, allParts] = await Promise.all([
    readCounts(store, subjects.session(id, key.id), ever),
    Array.fromAsync(eachSessionHour(store, "sessionPart", `${key.id}/${id}`)),
  ]);
  const partHours = agent === undefined
    ? allParts
    : allParts.filter(({ value }) => partIn(value).agent === agent);
  const hours = agent === undefined ? all : byHour(partHours);
  const counts = sumOf(hours);
  const parts = [...Map.groupBy(partHours, ({ value }) => value)]
    .map(([value, own]): SessionPart => ({ ...partIn(value), counts: sumOf(own) }));
  const rest = parts.reduce((left, part) => subtractCounts(left, part.counts), counts);
  if (rest.requests > 0) parts.push({ counts: rest });
  return { counts, hours, parts: parts.sort(dearestFirst) };
}

function byHour(points: readonly RollupPoint<Counts>[]): RollupPoint<Counts>[] {
  return [...Map.groupBy(points, ({ atMs }) => atMs)]
    .map(([atMs, own]) => ({ atMs, sum: sumOf(own) }))
    .sort((a, b) => a.atMs - b.atMs);
}

function sumOf(points: readonly RollupPoint<Counts>[]): Counts {
  return points.reduce((sum, point) => addCounts(sum, point.sum), noCounts);
}

function partIn(value: string): Omit<SessionPart, "counts"> {
  const [agent, requestClass] = value.split("/");
  return { ...(agent && { agent }), ...(requestClass && { requestClass }) };
}

function dearestFirst(a: SessionPart, b: SessionPart): number {
  return Number(b.counts.costNanoUsd - a.counts.costNanoUsd);
}
