import { may } from "../accounts/mod.ts";
import {
  createEndpoint,
  deleteEndpoint,
  updateEndpoint,
  type WebhookEndpoint,
} from "../store/webhooks/mod.ts";
import type { AddressRule } from "../upstreams/mod.ts";
import {
  changedEndpoint,
  type EndpointSettings,
  endpointWords,
  maskedUrl,
  newEndpoint,
  rotatedEndpoint,
  switchedEndpoint,
  webhookName,
} from "../webhooks/mod.ts";
import {
  type ActingState,
  auditChanges,
  type AuditContext,
  auditEntry,
  type AuditFacts,
  changesBetween,
  type RecordCheck,
} from "./audit.ts";

/** The address of an endpoint, masked for those who may not change it. */
export function shownUrl(url: string, { account: { user } }: Pick<ActingState, "account">): string {
  return may(user, "webhooks:write") ? url : maskedUrl(url);
}

type Check = RecordCheck<WebhookEndpoint>;

/** Adds an endpoint with a random secret. Returns undefined if there are too many. */
export async function addWebhook(
  ctx: AuditContext,
  settings: EndpointSettings,
): Promise<WebhookEndpoint | undefined> {
  const { services: { store }, nowMs } = ctx.state;
  const endpoint = newEndpoint(settings, nowMs);
  const changes = changesBetween({}, endpointWords(endpoint));
  const audit = auditEntry(ctx, { ...factsOf(endpoint, "created"), changes });
  return await createEndpoint(store, endpoint, { audit }) ? endpoint : undefined;
}

/** Changes the settings that are given. Returns undefined if the endpoint is gone. */
export async function changeWebhook(
  ctx: AuditContext,
  endpoint: WebhookEndpoint,
  { settings, check }: {
    readonly settings: Partial<EndpointSettings>;
    readonly check?: Check;
  },
): Promise<WebhookEndpoint | undefined> {
  const audit = auditChanges(ctx, factsOf(endpoint, "changed"), endpointWords);
  return await updateEndpoint(ctx.state.services.store, endpoint.id, (current) => {
    check?.(current);
    return changedEndpoint(current, settings);
  }, { audit });
}

/** Enables or disables an endpoint. Returns undefined if it is gone. */
export async function setWebhookEnabled(
  ctx: AuditContext,
  endpoint: WebhookEndpoint,
  { enabled, check }: { readonly enabled: boolean; readonly check?: Check },
): Promise<WebhookEndpoint | undefined> {
  const audit = auditEntry(ctx, factsOf(endpoint, enabled ? "enabled" : "disabled"));
  return await updateEndpoint(ctx.state.services.store, endpoint.id, (current) => {
    check?.(current);
    return switchedEndpoint(current, enabled);
  }, { audit });
}

/** Gives an endpoint a new secret. Returns undefined if it is gone. */
export async function rotateWebhook(
  ctx: AuditContext,
  endpoint: WebhookEndpoint,
  check?: Check,
): Promise<WebhookEndpoint | undefined> {
  const { services: { store }, nowMs } = ctx.state;
  const audit = auditEntry(ctx, factsOf(endpoint, "rotated"));
  return await updateEndpoint(store, endpoint.id, (current) => {
    check?.(current);
    return rotatedEndpoint(current, nowMs);
  }, { audit });
}

/** Deletes an endpoint. Returns false if it was gone. */
export async function removeWebhook(
  ctx: AuditContext,
  endpoint: WebhookEndpoint,
  check?: Check,
): Promise<boolean> {
  const audit = auditEntry(ctx, factsOf(endpoint, "deleted"));
  return await deleteEndpoint(ctx.state.services.store, endpoint.id, { audit, check });
}

function factsOf(endpoint: WebhookEndpoint, action: AuditFacts["action"]): AuditFacts {
  const { id: targetId } = endpoint;
  return { kind: "webhook", action, targetId, targetName: webhookName(endpoint) };
}

const publicOnly: AddressRule = { allowsPrivate: false, allowsLoopback: false };

/** The networks in which endpoints of the console are allowed. */
export function addressRuleOf(
  { services: { upstreams } }: Pick<ActingState, "services">,
): AddressRule {
  return upstreams?.addresses ?? publicOnly;
}
