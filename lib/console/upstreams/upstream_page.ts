import { HttpError } from "fresh";
import type { ServicesState } from "../../admin/upstreams/upstream_state.ts";
import type { FormatName } from "../../canonical/mod.ts";
import { createPrices, rateOf } from "../../ledger/mod.ts";
import { explainChain, explainRoute, preferenceOf, type RouteVerdict } from "../../routing/mod.ts";
import { getUpstream, type UpstreamRecord } from "../../store/catalog/mod.ts";
import { upstreamsOf } from "../../upstreams/mod.ts";
import { recordAt } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";

/** The upstream in the address. */
export const upstreamAt = recordAt(getUpstream);

/** A model, and the group and the format in which it is called. */
interface RouteAsked {
  readonly model: string;
  readonly group: string;
  readonly format: FormatName;
}

/**
 * The upstream in the address, to change it. Throws `HttpError` with 404 for one from the
 * configuration.
 */
export async function ownUpstreamAt(id: string, state: ServicesState): Promise<UpstreamRecord> {
  const upstream = await upstreamAt(id, state);
  if (upstream.origin !== "console") throw new HttpError(404);
  return upstream;
}

/** Returns false if no upstream may be called for a model at once; true if the console runs alone. */
export function canAnswer(asked: RouteAsked, state: AccountState): boolean {
  const verdicts = verdictsFor(asked, state);
  return verdicts === undefined || verdicts.some(({ verdict }) => verdict === "candidate");
}

/** The upstreams that would serve a model for a group, with reasons; undefined if the console runs alone. */
export function verdictsFor(
  { model, group, format }: RouteAsked,
  { services: { directory, upstreams }, nowMs }: AccountState,
): readonly RouteVerdict[] | undefined {
  if (upstreams === undefined) return undefined;
  const known = upstreamsOf(directory.upstreams());
  const { health } = upstreams;
  const query = { model, format, groupId: group };
  const prices = createPrices(() => directory.models());
  const preference = preferenceOf(directory.settings().upstreamOrder, {
    health,
    rateOf: (name) => rateOf(prices, name, nowMs),
    now: () => nowMs,
  });
  const now = { health, nowMs, lists: directory.upstreamLists(), preference };
  const members = directory.model(model)?.members;
  return members ? explainChain(members, query, known, now) : explainRoute(query, known, now);
}
