import type { AuditDraft } from "../store/audit/mod.ts";
import type { Store } from "../store/mod.ts";
import {
  type DisabledBecause,
  getEndpoint,
  updateEndpoint,
  type WebhookEndpoint,
} from "../store/webhooks/mod.ts";
import type { Report } from "../telemetry/log.ts";
import type { AttemptOutcome } from "./attempt.ts";
import { configuredId } from "./receiver.ts";

interface HealthOptions {
  readonly store: Store;
  readonly now: () => number;
  readonly report: Report;
}

/** An endpoint without a success for this long is disabled, as Standard Webhooks suggests. */
const failingMsMax = 5 * 86_400_000;

/**
 * Notes the outcome of an attempt at its endpoint: the begin and the end of failures, and the end of
 * an endpoint that fails for days or answers 410. Writes only if one of these changes.
 */
export async function noteEndpointOutcome(
  endpointId: string,
  outcome: AttemptOutcome,
  { store, now, report }: HealthOptions,
): Promise<void> {
  if (endpointId === configuredId) return;
  const endpoint = await getEndpoint(store, endpointId);
  const changed = endpoint && changeAfter(endpoint, outcome, now());
  if (!changed) return;
  const because = changed.enabled === false ? changed.disabledBecause : undefined;
  const audit = because && auditOf(endpoint, because, now());
  await updateEndpoint(store, endpointId, (current) => ({ ...current, ...changed }), { audit });
  if (because) report("error", "Webhook endpoint disabled", { endpointId, reason: because });
}

type HealthChange = Partial<
  Pick<WebhookEndpoint, "failingSinceMs" | "enabled" | "disabledBecause">
>;

function changeAfter(
  { enabled, failingSinceMs }: WebhookEndpoint,
  { type }: AttemptOutcome,
  nowMs: number,
): HealthChange | undefined {
  if (!enabled || type === "stopped") return undefined;
  if (type === "delivered") {
    return failingSinceMs === undefined ? undefined : { failingSinceMs: undefined };
  }
  if (type === "gone") return { enabled: false, disabledBecause: "gone" };
  if (failingSinceMs === undefined) return { failingSinceMs: nowMs };
  if (nowMs - failingSinceMs < failingMsMax) return undefined;
  return { enabled: false, disabledBecause: "failing" };
}

const reasons = {
  failing: "All attempts failed for five days",
  gone: "The receiver answered 410",
} as const satisfies Record<DisabledBecause, string>;

function auditOf({ id, url }: WebhookEndpoint, because: DisabledBecause, atMs: number): AuditDraft {
  return {
    atMs,
    actorId: "gateway",
    actorName: "Tessera",
    kind: "webhook",
    action: "disabled",
    targetId: id,
    targetName: new URL(url).host,
    changes: [],
    reason: reasons[because],
  };
}
