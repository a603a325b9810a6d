import { z } from "zod";
import { faults } from "../admin/faults.ts";
import {
  addressRuleOf,
  addWebhook,
  changeWebhook,
  removeWebhook,
  rotateWebhook,
  setWebhookEnabled,
  shownUrl,
} from "../admin/webhooks.ts";
import {
  getDelivery,
  getEndpoint,
  listDeliveries,
  listEndpoints,
  sendAgain,
  type WebhookDelivery,
  type WebhookEndpoint,
  webhookFormats,
} from "../store/webhooks/mod.ts";
import { endpointSettings, isAllowedAddress } from "../webhooks/mod.ts";
import { invalidField, ManagementError, notFound } from "./http/error.ts";
import {
  type ApiOperation,
  type ApiReply,
  assertCurrent,
  type ManagementCall,
  operation,
  switches,
} from "./http/operation.ts";
import {
  creationOrder,
  listSchema,
  pageQuery,
  pageReply,
  readCursor,
  storedPageReply,
} from "./http/page.ts";
import { namedObject, optionalTime, timeAnswer, timeText } from "./http/schema.ts";

const webhookShape = {
  id: z.string(),
  url: z.string().describe("For viewers, only its origin"),
  types: z.array(z.string()).describe("`*` means all"),
  format: z.enum(webhookFormats),
  description: z.string(),
  enabled: z.boolean(),
  disabled_because: z.enum(["failing", "gone"]).nullable()
    .describe("Set if the gateway disabled it; null: an administrator did, or it is enabled"),
  failing_since: timeAnswer.nullable().describe("The first failed attempt since the last success"),
  previous_secret_ends_at: timeAnswer.nullable()
    .describe("The time until which the secret before the last rotation also signs"),
  created_at: timeAnswer,
};
const webhook = namedObject("Webhook", webhookShape);
const webhookWithSecret = namedObject("WebhookWithSecret", {
  ...webhookShape,
  secret: z.string().describe("Shown only in this answer"),
});

const attempt = z.object({
  at: timeAnswer,
  duration_ms: z.number(),
  status: z.int().nullable().describe("Null if there was no answer"),
  fault: z.string().nullable(),
});
const delivery = namedObject("WebhookDelivery", {
  event_id: z.string().describe("The receiver gets it as `webhook-id`"),
  type: z.string(),
  state: z.enum(["waiting", "delivered", "abandoned"]),
  created_at: timeAnswer,
  next_attempt_at: timeAnswer.nullable(),
  attempts: z.array(attempt).describe("The last twelve, oldest first"),
  body: z.string().describe("The event as it is sent: JSON"),
});
const tested = z.object({
  result: z.string().describe(
    "`delivered`, `answered-` and the status, `timeout` or `unreachable`",
  ),
});

const newWebhook = endpointSettings;
const webhookChange = z.strictObject({
  url: endpointSettings.shape.url,
  types: endpointSettings.shape.types,
  format: endpointSettings.shape.format,
  description: endpointSettings.shape.description.unwrap(),
}).partial();

function webhookView(one: WebhookEndpoint, { state }: ManagementCall): z.input<typeof webhook> {
  return {
    id: one.id,
    url: shownUrl(one.url, state),
    types: [...one.types],
    format: one.format ?? "event",
    description: one.description,
    enabled: one.enabled,
    disabled_because: one.disabledBecause ?? null,
    failing_since: optionalTime(one.failingSinceMs),
    previous_secret_ends_at: optionalTime(one.previous?.expiresAtMs),
    created_at: timeText(one.createdAtMs),
  };
}

function deliveryView(one: WebhookDelivery): z.input<typeof delivery> {
  return {
    event_id: one.eventId,
    type: one.type,
    state: one.state,
    created_at: timeText(one.createdAtMs),
    next_attempt_at: optionalTime(one.dueAtMs),
    attempts: one.history.map(({ atMs, durationMs, status = null, fault = null }) => ({
      at: timeText(atMs),
      duration_ms: durationMs,
      status,
      fault,
    })),
    body: one.body,
  };
}

function replyWith(
  record: WebhookEndpoint,
  call: ManagementCall,
): ApiReply<z.input<typeof webhook>> {
  return { body: webhookView(record, call), record: settingsOf(record) };
}

function replyWithSecret(
  record: WebhookEndpoint,
  call: ManagementCall,
): ApiReply<z.input<typeof webhookWithSecret>> {
  return {
    body: { ...webhookView(record, call), secret: record.secret },
    record: settingsOf(record),
  };
}

/** The part of an endpoint that its `ETag` covers: deliveries change the rest. */
function settingsOf({ failingSinceMs: _, ...record }: WebhookEndpoint): object {
  return record;
}

async function webhookAt({ params: { id }, state }: ManagementCall): Promise<WebhookEndpoint> {
  return await getEndpoint(state.services.store, id) ?? gone(id);
}

function gone(id: string): never {
  throw notFound("webhook", id);
}

function checkOf(call: ManagementCall) {
  return (current: WebhookEndpoint) => assertCurrent(call, settingsOf(current));
}

/** The rule that needs the configuration. */
function assertAllowed({ state }: ManagementCall, url: string | undefined): void {
  if (url === undefined || isAllowedAddress(url, addressRuleOf(state))) return;
  throw invalidField("url", faults.webhook.address);
}

async function list(call: ManagementCall<z.output<typeof pageQuery>>) {
  const all = await listEndpoints(call.state.services.store);
  return await pageReply(all, creationOrder, call, (one) => webhookView(one, call));
}

async function create(call: ManagementCall<unknown, z.output<typeof newWebhook>>) {
  assertAllowed(call, call.body.url);
  const added = await addWebhook(call, call.body);
  if (added) return replyWithSecret(added, call);
  throw new ManagementError("invalid_request", faults.webhook.full);
}

async function change(call: ManagementCall<unknown, z.output<typeof webhookChange>>) {
  const endpoint = await webhookAt(call);
  assertAllowed(call, call.body.url);
  const changed = await changeWebhook(call, endpoint, {
    settings: call.body,
    check: checkOf(call),
  });
  return replyWith(changed ?? gone(endpoint.id), call);
}

async function setEnabled(call: ManagementCall, enabled: boolean) {
  const endpoint = await webhookAt(call);
  const changed = await setWebhookEnabled(call, endpoint, { enabled, check: checkOf(call) });
  return replyWith(changed ?? gone(endpoint.id), call);
}

async function rotate(call: ManagementCall) {
  const endpoint = await webhookAt(call);
  return replyWithSecret(
    await rotateWebhook(call, endpoint, checkOf(call)) ?? gone(endpoint.id),
    call,
  );
}

async function remove(call: ManagementCall): Promise<void> {
  const endpoint = await webhookAt(call);
  if (!await removeWebhook(call, endpoint, checkOf(call))) gone(endpoint.id);
}

async function test(call: ManagementCall) {
  const endpoint = await webhookAt(call);
  const result = await call.state.services.alerts?.test(endpoint);
  if (result !== undefined) return { body: { result } };
  throw new ManagementError("internal_error", "The gateway sends no events");
}

async function listDelivered(call: ManagementCall<z.output<typeof pageQuery>>) {
  const { id } = await webhookAt(call);
  const { query: { limit }, state: { services: { store } } } = call;
  const before = await readCursor(call);
  const { deliveries, next } = await listDeliveries(store, id, { before, limit });
  return await storedPageReply(deliveries.map(deliveryView), next, call);
}

async function deliveryAt(call: ManagementCall): Promise<WebhookDelivery> {
  const { id } = await webhookAt(call);
  const { event_id: eventId } = call.params;
  const found = await getDelivery(call.state.services.store, id, eventId);
  if (found?.eventId === eventId) return found;
  throw notFound("delivery", eventId);
}

async function again(call: ManagementCall) {
  const found = await deliveryAt(call);
  const { services: { store }, nowMs } = call.state;
  await sendAgain(store, found, nowMs);
  return { body: deliveryView(await deliveryAt(call)) };
}

const read = "webhooks:read";
const write = "webhooks:write";
const conflicts = ["concurrent_changes", "object_changed"] as const;

/** The operations of webhooks and their deliveries. */
export const webhookOperations: readonly ApiOperation[] = [
  operation("GET /webhooks", {
    summary: "List webhooks, newest first",
    scope: read,
    query: pageQuery,
    answer: listSchema(webhook),
  }, list),
  operation("POST /webhooks", {
    summary: "Add a webhook, which receives events",
    scope: write,
    body: newWebhook,
    answer: webhookWithSecret,
    status: 201,
  }, create),
  operation("GET /webhooks/{id}", {
    summary: "A webhook",
    scope: read,
    answer: webhook,
  }, async (call) => replyWith(await webhookAt(call), call)),
  operation("PATCH /webhooks/{id}", {
    summary: "Change the given fields of a webhook",
    scope: write,
    body: webhookChange,
    answer: webhook,
    errors: conflicts,
  }, change),
  operation("DELETE /webhooks/{id}", {
    summary: "Delete a webhook",
    scope: write,
    errors: conflicts,
  }, remove),
  ...switches("/webhooks/{id}", {
    summaries: { enable: "Enable a webhook", disable: "Disable a webhook" },
    scope: write,
    answer: webhook,
    errors: conflicts,
  }, setEnabled),
  operation("POST /webhooks/{id}/rotate", {
    summary: "Give a webhook a new secret; the old one also signs for 24 hours",
    scope: write,
    answer: webhookWithSecret,
    errors: conflicts,
  }, rotate),
  operation("POST /webhooks/{id}/test", {
    summary: "Send a test event to a webhook",
    scope: write,
    answer: tested,
  }, test),
  operation("GET /webhooks/{id}/deliveries", {
    summary: "List the deliveries of a webhook, newest first",
    scope: read,
    query: pageQuery,
    answer: listSchema(delivery),
  }, listDelivered),
  operation("GET /webhooks/{id}/deliveries/{event_id}", {
    summary: "A delivery with its attempts",
    scope: read,
    answer: delivery,
  }, async (call) => ({ body: deliveryView(await deliveryAt(call)) })),
  operation("POST /webhooks/{id}/deliveries/{event_id}/retry", {
    summary: "Send an event again",
    scope: write,
    answer: delivery,
  }, again),
];
