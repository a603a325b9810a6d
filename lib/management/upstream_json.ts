import { z } from "zod";
import { faultText } from "../admin/fault_text.ts";
import { faults } from "../admin/faults.ts";
import { costsText } from "../admin/upstreams/upstream_costs.ts";
import {
  modelLine,
  type UpstreamFaults,
  type UpstreamField,
  upstreamModelsMax,
  upstreamOf,
  type UpstreamValues,
  upstreamValues,
} from "../admin/upstreams/upstream_form.ts";
import {
  healthOf,
  healthOfUpstream,
  upstreamServices,
  type UpstreamState,
} from "../admin/upstreams/upstream_state.ts";
import {
  cachingOff,
  compactionValue,
  retryOff,
  timeoutFields,
  websocketOn,
} from "../admin/upstreams/upstream_wire_form.ts";
import { cloudFields, credentialsIn } from "../admin/upstreams/upstream_cloud_form.ts";
import { type FormatName, formatNames } from "../canonical/mod.ts";
import { costsSchema } from "../config.ts";
import { getUpstream, type UpstreamRecord } from "../store/catalog/mod.ts";
import { credentialsOf } from "../upstreams/mod.ts";
import { cloudAnswer, cloudChange, cloudInput, cloudJson, cloudParam } from "./upstream_cloud.ts";
import { invalidField, ManagementError, notFound } from "./http/error.ts";
import { type ApiReply, assertCurrent, type ManagementCall } from "./http/operation.ts";
import { namedObject, optionalTime, snake, timeAnswer } from "./http/schema.ts";

const healthStates = {
  well: "healthy",
  degraded: "degraded",
  cooling: "rate_limited",
  open: "paused",
  probing: "recovering",
  disabled: "disabled",
  sealed: "credentials_unreadable",
} as const satisfies Record<UpstreamState, string>;

/** An upstream in an answer: of its credentials, only their names. */
export const upstreamAnswer = namedObject("Upstream", {
  id: z.string(),
  enabled: z.boolean(),
  preset: z.string().nullable(),
  endpoints: z.partialRecord(z.enum(formatNames), z.string()),
  credentials: z.array(z.object({
    id: z.string().describe("The name in the log: the first digits of the SHA-256"),
  })),
  models: z.array(z.object({ id: z.string(), upstream_model: z.string().nullable() })),
  groups: z.array(z.string()),
  priority: z.number(),
  weight: z.number(),
  timeouts: z.object({
    connect_ms: z.number(),
    first_byte_ms: z.number(),
    idle_ms: z.number(),
    total_ms: z.number(),
  }),
  auth: z.object({ header: z.string(), prefix: z.string().nullable() }).nullable(),
  messages_version: z.string().nullable(),
  cloud: cloudAnswer.nullable(),
  automatic_caching: z.boolean(),
  websocket: z.boolean(),
  retry: z.boolean(),
  own_compaction: z.boolean().nullable(),
  costs: costsSchema.nullable(),
  health: z.object({
    state: z.enum(Object.values(healthStates)),
    until: timeAnswer.nullable(),
  }).describe("As the isolate that answers has seen it"),
  origin: z.enum(["console", "config"])
    .describe("Upstreams of the configuration are read-only"),
});

/** The upstream of the address. Throws `object_not_found`. */
export async function calledUpstream(
  { params: { id }, state }: Pick<ManagementCall, "params" | "state">,
): Promise<UpstreamRecord> {
  const found = await getUpstream(state.services.store, id);
  return found ?? noUpstream(id);
}

export function noUpstream(id: string): never {
  throw notFound("upstream", id);
}

/** Throws `object_changed` unless the stored upstream is the one of `If-Match`. */
export function checkOf(call: Pick<ManagementCall, "ifMatch">): (stored: UpstreamRecord) => void {
  return (stored) => assertCurrent(call, withoutSecrets(stored));
}

export function replyWith(
  upstream: UpstreamRecord,
  call: Pick<ManagementCall, "state">,
): ApiReply<z.output<typeof upstreamAnswer>> {
  return { body: upstreamJson(upstream, call), record: withoutSecrets(upstream) };
}

/** The record behind an `ETag`, which is no digest of secrets. */
export function withoutSecrets({ credentialsFault: _, ...upstream }: UpstreamRecord): object {
  return { ...upstream, credentials: credentialsOf(upstream).map(({ id }) => id) };
}

export function upstreamJson(
  upstream: UpstreamRecord,
  { state }: Pick<ManagementCall, "state">,
): z.output<typeof upstreamAnswer> {
  const { id, timeouts, auth } = upstream;
  const health = healthOfUpstream(upstream, healthOf(id, state));
  return {
    id,
    enabled: upstream.enabled,
    preset: upstream.preset ?? null,
    endpoints: { ...upstream.endpoints },
    credentials: credentialsOf(upstream).map((one) => ({ id: one.id })),
    models: upstream.models.map((one) => ({
      id: one.id,
      upstream_model: one.upstreamModel ?? null,
    })),
    groups: [...upstream.groups],
    priority: upstream.priority,
    weight: upstream.weight,
    timeouts: {
      connect_ms: timeouts.connectMs,
      first_byte_ms: timeouts.firstByteMs,
      idle_ms: timeouts.idleMs,
      total_ms: timeouts.totalMs,
    },
    auth: auth ? { header: auth.header, prefix: auth.prefix?.trimEnd() ?? null } : null,
    messages_version: upstream.messagesVersion ?? null,
    cloud: cloudJson(upstream.cloud),
    automatic_caching: upstream.automaticCaching ?? true,
    websocket: upstream.websocket ?? false,
    retry: upstream.retry ?? true,
    own_compaction: upstream.ownCompaction ?? null,
    costs: upstream.costs ?? null,
    health: { state: healthStates[health.state], until: optionalTime(health.untilMs) },
    origin: upstream.origin,
  };
}

const credentialCharsMax = 20_000;

/** A line of the form: its rules hold for it. */
const line = z.string().max(2_000).regex(/^[^\r\n]*$/, "must be one line");
const modelName = line.regex(/^[^=\s]+$/, "must have neither spaces nor =");
const milliseconds = z.int().min(1).max(86_400_000);

const settings = {
  endpoints: z.partialRecord(z.enum(formatNames), line.nullable()).optional()
    .describe("A base URL for each format; null removes one"),
  models: z.array(z.strictObject({
    id: modelName.describe("A public name, or a pattern such as `gpt-*`"),
    upstream_model: modelName.nullable().optional().describe("The upstream's own name"),
  })).max(upstreamModelsMax).optional(),
  groups: z.array(line).max(1_000).optional().describe("The groups that it serves; `*`: all"),
  priority: z.int().optional().describe("Higher ones are tried first"),
  weight: z.int().optional().describe("The share of calls among equal priorities"),
  timeouts: z.strictObject({
    connect_ms: milliseconds,
    first_byte_ms: milliseconds,
    idle_ms: milliseconds,
    total_ms: milliseconds,
  }).partial().optional(),
  auth: z.strictObject({ header: line, prefix: line.optional() }).nullable().optional()
    .describe("The header of the credential; null: the format's own"),
  messages_version: line.nullable().optional().describe(
    "`anthropic-version` of the messages format",
  ),
  cloud: cloudInput.optional().describe("The cloud that serves it; supplies the base URLs"),
  automatic_caching: z.boolean().optional(),
  websocket: z.boolean().optional().describe(
    "Calls of callers' WebSockets go over a kept WebSocket of the responses format",
  ),
  retry: z.boolean().optional().describe(
    "Tries a failed call once more if no other upstream is left",
  ),
  own_compaction: z.boolean().nullable().optional().describe(
    "Compacts conversations itself; false: the gateway does; null: OpenAI, Azure and Anthropic do",
  ),
  costs: costsSchema.nullable().optional().describe(
    "Cost of its calls for the operator, as in the configuration file; null: list prices",
  ),
};

/** Secrets of one line, or credential sources as JSON. They are in no answer. */
export const credentialsInput = z.array(
  z.string().min(1).max(credentialCharsMax)
    .regex(/^([^\r\n]*|\s*\{[^]*)$/, "must be one line, or a credential source as JSON"),
).max(1_000).describe("Secrets, or credential sources as JSON");

export const upstreamChange = z.strictObject(settings);
export const newUpstream = z.strictObject({
  id: line,
  preset: line.optional().describe("A vendor with known addresses and models"),
  base_url: line.optional().describe("For all formats of the preset, or for chat-completions"),
  credentials: credentialsInput.default([]),
  enabled: z.boolean().default(true),
  ...settings,
});

type Change = z.output<typeof upstreamChange>;
type Draft = z.output<typeof newUpstream>;

/** The upstream of a request that makes one, by the rules of the form. Throws `invalid_request`. */
export async function upstreamFrom(draft: Draft, call: ManagementCall): Promise<UpstreamRecord> {
  const { id, preset = "", base_url: baseUrl = "", credentials, enabled } = draft;
  const values = {
    ...upstreamValues(),
    ...changedValues(upstreamValues(), draft),
    ...{ id, preset, baseUrl, credentials: credentials.flatMap(credentialsIn).join("\n") },
  };
  return { ...await validUpstream(values, call), enabled };
}

/** The upstream after a change. Its credentials stay. Throws `invalid_request`. */
export function changedUpstream(
  current: UpstreamRecord,
  change: Change,
  call: ManagementCall,
): Promise<UpstreamRecord> {
  const before = upstreamValues(current);
  return validUpstream({ ...before, ...changedValues(before, change) }, call, current);
}

async function validUpstream(
  values: UpstreamValues,
  { state }: ManagementCall,
  current?: UpstreamRecord,
): Promise<UpstreamRecord> {
  const { services: { directory } } = state;
  const result = await upstreamOf(values, {
    ...(current && { current }),
    groupIds: directory.groups().map(({ id }) => id),
    rule: upstreamServices(state).addresses,
  });
  if (result.type === "valid") return result.upstream;
  throw faultOf(result.faults);
}

/** The given fields as the form writes them. */
function changedValues(before: UpstreamValues, change: Change): Partial<UpstreamValues> {
  const { models, groups, priority, weight, messages_version: version, websocket } = change;
  const { own_compaction: own, costs, retry } = change;
  return {
    ...endpointValues(change),
    ...timeoutValues(change),
    ...authValues(change),
    ...cloudChange(change.cloud),
    ...(models && { models: models.map(lineOf).join("\n") }),
    ...(groups && { groups: groups.join("\n") }),
    ...(priority !== undefined && { priority: String(priority) }),
    ...(weight !== undefined && { weight: String(weight) }),
    ...(version !== undefined && { messagesVersion: version ?? "" }),
    ...(websocket !== undefined && { websocket: websocket ? websocketOn : "" }),
    ...(retry !== undefined && { retry: retry ? "" : retryOff }),
    ...(costs !== undefined && { costs: costsText(costs ?? {}) }),
    ...(own !== undefined && { ownCompaction: compactionValue(own) }),
    automaticCaching: cachingValue(before, change),
  };
}

function lineOf({ id, upstream_model: own }: NonNullable<Change["models"]>[number]): string {
  return modelLine({ id, ...(typeof own === "string" && { upstreamModel: own }) });
}

function endpointValues({ endpoints = {} }: Change): Partial<Record<FormatName, string>> {
  return Object.fromEntries(Object.entries(endpoints).map(([name, url]) => [name, url ?? ""]));
}

function timeoutValues({ timeouts = {} }: Change): Partial<UpstreamValues> {
  const given: Readonly<Record<string, number | undefined>> = timeouts;
  return Object.fromEntries(timeoutFields.flatMap((name) => {
    const ms = given[snake(name)];
    return ms === undefined ? [] : [[name, String(ms / 1_000)]];
  }));
}

function authValues({ auth }: Change): Partial<UpstreamValues> {
  if (auth === undefined) return {};
  return { authHeader: auth?.header ?? "", authPrefix: auth?.prefix?.trim() ?? "" };
}

function cachingValue({ automaticCaching }: UpstreamValues, change: Change): string {
  if (change.automatic_caching === undefined) return automaticCaching;
  return change.automatic_caching ? "" : cachingOff;
}

function faultOf(found: UpstreamFaults): ManagementError {
  const [[field, fault]] = Object.entries(found);
  const param = paramOf(field as UpstreamField); // the faults' own key
  return invalidField(param, faultText(fault, faults.upstream));
}

function paramOf(field: UpstreamField): string {
  if (isAmong(formatNames, field)) return `endpoints.${field}`;
  if (isAmong(timeoutFields, field)) return `timeouts.${snake(field)}`;
  if (isAmong(cloudFields, field)) return cloudParam(field);
  if (field === "authHeader") return "auth.header";
  return field === "authPrefix" ? "auth.prefix" : snake(field);
}

function isAmong(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
