import { HttpError } from "fresh";
import type { FormatName } from "../../canonical/mod.ts";
import { explainRoute, type HealthRow, type RouteVerdict } from "../../routing/mod.ts";
import { getUpstream, type UpstreamRecord } from "../../store/catalog/mod.ts";
import { type ConnectionReport, testConnection, upstreamsOf } from "../../upstreams/mod.ts";
import type { UpstreamServices } from "../session/services.ts";
import type { AccountState } from "../session/state.ts";
import { modelLine } from "./upstream_form.ts";
import { cachingOff, timeoutFields } from "./upstream_wire_form.ts";

/** The part of a request's state that these functions need. */
type Serving = Pick<AccountState, "services">;

/** The upstream in the address. Throws `HttpError` with 404 if there is none. */
export async function upstreamAt(id: string, { services }: Serving): Promise<UpstreamRecord> {
  const upstream = id.length <= 100 ? await getUpstream(services.store, id) : undefined;
  if (upstream === undefined) throw new HttpError(404);
  return upstream;
}

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
export async function ownUpstreamAt(id: string, state: Serving): Promise<UpstreamRecord> {
  const upstream = await upstreamAt(id, state);
  if (upstream.origin !== "console") throw new HttpError(404);
  return upstream;
}

/** The services for calling upstreams. Throws `HttpError` with 503 if the console runs alone. */
export function upstreamServices({ services }: Serving): UpstreamServices {
  if (services.upstreams === undefined) throw new HttpError(503);
  return services.upstreams;
}

/** The health of one upstream: as a whole, by credential and by model. */
export function healthOf(upstreamId: string, state: Serving): readonly HealthRow[] {
  return state.services.upstreams?.health.snapshot()
    .filter((row) => row.upstreamId === upstreamId) ?? [];
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
  return explainRoute({ model, format, groupId: group }, known, {
    health,
    nowMs,
    lists: directory.upstreamLists(),
  });
}

/** Tests the connection to an upstream. Changes nothing. */
export function testUpstream(
  upstream: UpstreamRecord,
  state: Serving,
  caller: AbortSignal,
): Promise<ConnectionReport> {
  return testConnection(upstream, upstreamServices(state).send, caller);
}

/** The fields of an upstream for the audit log; of credentials, only their number. */
export function auditedUpstream(upstream: UpstreamRecord): Record<string, string | undefined> {
  const { preset, endpoints, credentials, models, groups, priority, weight } = upstream;
  const { auth, messagesVersion, automaticCaching, timeouts } = upstream;
  const addresses = Object.entries(endpoints).map(([format, url]) => `${format} ${url}`);
  return {
    preset,
    endpoints: addresses.join(", "),
    credentials: String(credentials.length),
    models: models.map(modelLine).join(", "),
    groups: groups.join(", "),
    priority: String(priority),
    weight: String(weight),
    header: auth && `${auth.header}: ${auth.prefix ?? ""}`.trimEnd(),
    messagesVersion,
    automaticCaching: automaticCaching === false ? cachingOff : undefined,
    timeouts: timeoutFields.map((name) => `${timeouts[name] / 1_000} s`).join(", "),
  };
}
