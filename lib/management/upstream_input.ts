import { z } from "zod";
import { faultText } from "../admin/fault_text.ts";
import { faults } from "../admin/faults.ts";
import {
  modelLine,
  type UpstreamFaults,
  type UpstreamField,
  upstreamModelsMax,
  upstreamOf,
  type UpstreamValues,
  upstreamValues,
} from "../admin/upstreams/upstream_form.ts";
import { upstreamServices } from "../admin/upstreams/upstream_tests.ts";
import { cachingOff, timeoutFields } from "../admin/upstreams/upstream_wire_form.ts";
import { type FormatName, formatNames } from "../canonical/mod.ts";
import type { UpstreamRecord } from "../store/catalog/mod.ts";
import { ManagementError } from "./http/error.ts";
import { snake } from "./http/fields.ts";
import type { ManagementCall } from "./http/operation.ts";

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
  automatic_caching: z.boolean().optional(),
};

/** Credentials in a request. They are in no answer. */
export const credentialsInput = z.array(line.min(1)).max(1_000);

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
    ...{ id, preset, baseUrl, credentials: credentials.join("\n") },
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
  const { models, groups, priority, weight, messages_version: version } = change;
  return {
    ...endpointValues(change),
    ...timeoutValues(change),
    ...authValues(change),
    ...(models && { models: models.map(lineOf).join("\n") }),
    ...(groups && { groups: groups.join("\n") }),
    ...(priority !== undefined && { priority: String(priority) }),
    ...(weight !== undefined && { weight: String(weight) }),
    ...(version !== undefined && { messagesVersion: version ?? "" }),
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
  return new ManagementError("invalid_request", `${param}: ${faultText(fault, faults.upstream)}`, {
    param,
  });
}

function paramOf(field: UpstreamField): string {
  if (isAmong(formatNames, field)) return `endpoints.${field}`;
  if (isAmong(timeoutFields, field)) return `timeouts.${snake(field)}`;
  if (field === "authHeader") return "auth.header";
  return field === "authPrefix" ? "auth.prefix" : snake(field);
}

function isAmong(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
