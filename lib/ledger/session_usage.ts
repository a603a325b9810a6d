import type { ApiKey } from "../store/api_keys/mod.ts";
import { type CallSession, sessionText } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { compactRows } from "../store/settling/mod.ts";
import {
  addCounts,
  type Counts,
  eachSessionHour,
  noCounts,
  type RollupPoint,
  type SessionHour,
  sessionsPerKeyMax,
} from "../store/usage/mod.ts";
import type { ModelUsage } from "./key_usage.ts";

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

/** An hour of a session. */
interface SessionPoint extends RollupPoint<Counts> {
  /** The calls of the main agent, which are also in `sum`. */
  readonly main: Counts;
}

/** The usage of one session. Parts and models are ordered by cost, and each add up to `counts`. */
export interface SessionUsage {
  readonly counts: Counts;
  /** The calls of the main agent. */
  readonly turns: number;
  /** Oldest first, without hours that have no calls. */
  readonly hours: readonly SessionPoint[];
  readonly parts: readonly SessionPart[];
  readonly models: readonly ModelUsage[];
}

type KeyId = Pick<ApiKey, "id">;

/** The sessions of a key, the last used first: as many as are kept from one day to the next. */
export async function keySessions(store: Store, key: KeyId): Promise<SessionSummary[]> {
  await compactRows(store);
  let found: SessionSummary[] = [];
  for await (const { id, atMs, sum } of eachSessionHour(store, key.id)) {
    const known = found.at(-1)?.id === id ? found.pop() : undefined; // a session's hours are in a row
    if (!known && found.length >= 2 * sessionsPerKeyMax) found = lastUsed(found);
    const { firstAtMs, lastAtMs, counts } = known ??
      { firstAtMs: atMs, lastAtMs: atMs, counts: noCounts };
    found.push({
      id,
      firstAtMs: Math.min(firstAtMs, atMs),
      lastAtMs: Math.max(lastAtMs, atMs),
      counts: addCounts(counts, sum),
    });
  }
  return lastUsed(found);
}

function lastUsed(sessions: SessionSummary[]): SessionSummary[] {
  return sessions.sort((a, b) => b.lastAtMs - a.lastAtMs).slice(0, sessionsPerKeyMax);
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
  const hours = await Array.fromAsync(eachSessionHour(store, key.id, id));
  const all = agent === undefined ? hours : hours.filter((hour) => hour.agent === agent);
  const parts = sumsBy(all, sessionText).map(({ agent, requestClass, counts }) => ({
    ...(agent && { agent }),
    ...(requestClass && { requestClass }),
    counts,
  }));
  const models = sumsBy(all, ({ model }) => model)
    .map(({ model, counts }) => ({ ...(model && { model }), counts }));
  const turns = mainOf(all).requests;
  return { counts: sumOf(all), turns, hours: pointsOf(all), parts, models };
}

function pointsOf(all: readonly SessionHour[]): SessionPoint[] {
  return [...Map.groupBy(all, ({ atMs }) => atMs)]
    .map(([atMs, own]) => ({ atMs, sum: sumOf(own), main: mainOf(own) }))
    .sort((a, b) => a.atMs - b.atMs);
}

/** The sums of hours of the same name, dearest first; each with the names of its first hour. */
function sumsBy(all: readonly SessionHour[], nameOf: (hour: SessionHour) => string | undefined) {
  return [...Map.groupBy(all, nameOf).values()]
    .map((own) => ({ ...own[0], counts: sumOf(own) }))
    .sort((a, b) => Number(b.counts.costNanoUsd - a.counts.costNanoUsd));
}

function mainOf(hours: readonly SessionHour[]): Counts {
  return sumOf(hours.filter(({ agent }) => agent === undefined));
}

function sumOf(points: readonly RollupPoint<Counts>[]): Counts {
  return points.reduce((sum, point) => addCounts(sum, point.sum), noCounts);
}
