import { z } from "zod";
import {
  healthOf,
  healthOfUpstream,
  type UpstreamState,
} from "../admin/upstreams/upstream_state.ts";
import { formatNames } from "../canonical/mod.ts";
import { getUpstream, type UpstreamRecord } from "../store/catalog/mod.ts";
import { credentialsOf } from "../upstreams/mod.ts";
import { notFound } from "./http/error.ts";
import { assertCurrent } from "./http/etag.ts";
import { optionalTime, timeAnswer } from "./http/fields.ts";
import type { ApiReply, ManagementCall } from "./http/operation.ts";
import { named } from "./http/schema.ts";

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
export const upstreamAnswer = named(
  "Upstream",
  z.object({
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
    automatic_caching: z.boolean(),
    health: z.object({
      state: z.enum(Object.values(healthStates)),
      until: timeAnswer.nullable(),
    }).describe("As the isolate that answers has seen it"),
    origin: z.enum(["console", "config"])
      .describe("Upstreams of the configuration are read-only"),
  }),
);

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
    automatic_caching: upstream.automaticCaching ?? true,
    health: { state: healthStates[health.state], until: optionalTime(health.untilMs) },
    origin: upstream.origin,
  };
}
