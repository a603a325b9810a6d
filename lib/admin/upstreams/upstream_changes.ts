import {
  createUpstream,
  deleteUpstream,
  updateUpstream,
  type UpstreamRecord,
} from "../../store/catalog/mod.ts";
import { unlessTaken } from "../../store/mod.ts";
import {
  auditChanges,
  type AuditContext,
  auditEntry,
  type AuditFacts,
  changesBetween,
  checkedEntry,
  type RecordCheck,
} from "../audit.ts";
import { costsText } from "./upstream_costs.ts";
import { cloudValues } from "./upstream_cloud_form.ts";
import { modelLine } from "./upstream_form.ts";
import {
  cachingOff,
  type KeyChange,
  keysAfter,
  retryOff,
  timeoutFields,
  websocketOn,
} from "./upstream_wire_form.ts";

type Check = RecordCheck<UpstreamRecord>;

/** Adds an upstream with an audit entry. Returns false if the name is taken. */
export async function addOwnUpstream(
  upstream: UpstreamRecord,
  ctx: AuditContext,
): Promise<boolean> {
  const changes = changesBetween({}, auditedUpstream(upstream));
  const audit = auditEntry(ctx, { ...factsOf(upstream.id, "created"), changes });
  const creating = createUpstream(ctx.state.services.store, upstream, { audit });
  return await unlessTaken(creating) !== "taken";
}

/**
 * Gives an upstream the settings of `wanted`, except its keys and whether it is enabled. Returns
 * undefined if there is none.
 */
export function changeUpstream(
  id: string,
  wanted: UpstreamRecord,
  ctx: AuditContext,
  check?: Check,
): Promise<UpstreamRecord | undefined> {
  const change = (before: UpstreamRecord): UpstreamRecord => {
    check?.(before);
    const { credentials, credentialsFault, enabled } = before;
    return { ...wanted, credentials, ...(credentialsFault && { credentialsFault }), enabled };
  };
  const audit = auditChanges(ctx, factsOf(id, "changed"), auditedUpstream);
  return updateUpstream(ctx.state.services.store, id, change, { audit });
}

/** Enables or disables an upstream, with an audit entry. Returns undefined if there is none. */
export function enableUpstream(
  id: string,
  enabled: boolean,
  ctx: AuditContext,
  check?: Check,
): Promise<UpstreamRecord | undefined> {
  const audit = auditEntry(ctx, factsOf(id, enabled ? "enabled" : "disabled"));
  return updateUpstream(ctx.state.services.store, id, (stored) => {
    check?.(stored);
    return { ...stored, enabled };
  }, { audit });
}

/**
 * Adds keys to an upstream or removes one, with an audit entry that counts them. An impossible
 * change leaves them as they are. Returns undefined if there is no such upstream.
 */
export function changeUpstreamKeys(
  id: string,
  change: KeyChange,
  ctx: AuditContext,
  check?: Check,
): Promise<UpstreamRecord | undefined> {
  const audit = (before: UpstreamRecord, after: UpstreamRecord) =>
    before.credentials === after.credentials
      ? undefined
      : auditEntry(ctx, { ...factsOf(id, "changed"), changes: [keyCounts(before, after, change)] });
  return updateUpstream(ctx.state.services.store, id, (stored) => {
    check?.(stored);
    return { ...stored, credentials: keysAfter(stored, change) ?? stored.credentials };
  }, { audit });
}

/** Deletes an upstream with its keys, with an audit entry. Returns false if there was none. */
export function removeUpstream(
  id: string,
  ctx: AuditContext,
  check?: Check,
): Promise<boolean> {
  const audit = checkedEntry(ctx, factsOf(id, "deleted"), check);
  return deleteUpstream(ctx.state.services.store, id, { audit });
}

function factsOf(id: string, action: AuditFacts["action"]) {
  return { kind: "upstream", action, targetId: id, targetName: id } as const;
}

function keyCounts(before: UpstreamRecord, after: UpstreamRecord, change: KeyChange) {
  const removed = change.type === "remove" ? `, without ${change.id}` : "";
  return {
    field: "credentials",
    before: String(before.credentials.length),
    after: `${after.credentials.length}${removed}`,
  };
}

/** The fields of an upstream for the audit log; of credentials, only their number. */
export function auditedUpstream(upstream: UpstreamRecord): Record<string, string | undefined> {
  const { preset, endpoints, credentials, models, groups, priority, weight } = upstream;
  const { auth, messagesVersion, automaticCaching, websocket, retry, ownCompaction, timeouts } =
    upstream;
  const costs = costsText(upstream.costs);
  const addresses = Object.entries(endpoints).map(([format, url]) => `${format} ${url}`);
  const cloud = Object.values(cloudValues(upstream.cloud)).filter((text) => text !== "").join(" ");
  return {
    preset,
    ...(cloud !== "" && { cloud }),
    endpoints: addresses.join(", "),
    credentials: String(credentials.length),
    models: models.map(modelLine).join(", "),
    groups: groups.join(", "),
    priority: String(priority),
    weight: String(weight),
    costs: costs === "" ? undefined : costs,
    header: auth && `${auth.header}: ${auth.prefix ?? ""}`.trimEnd(),
    messagesVersion,
    automaticCaching: automaticCaching === false ? cachingOff : undefined,
    websocket: websocket ? websocketOn : undefined,
    retry: retry === false ? retryOff : undefined,
    ownCompaction: ownCompaction?.toString(),
    timeouts: timeoutFields.map((name) => `${timeouts[name] / 1_000} s`).join(", "),
  };
}
