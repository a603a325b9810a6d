import type { WebhookSettings } from "../config.ts";
import type { MailPost } from "../mail/mod.ts";
import type { AuditDraft } from "../store/audit/mod.ts";
import type { Store } from "../store/mod.ts";
import {
  claimDelivery,
  type ClaimedDelivery,
  type DisabledBecause,
  endClaim,
  getEndpoint,
  hasWaiting,
  listEndpoints,
  mailReceiverId,
  updateEndpoint,
  type WebhookDelivery,
  type WebhookEndpoint,
} from "../store/webhooks/mod.ts";
import type { Report } from "../telemetry/log.ts";
import type { Send } from "../upstreams/send.ts";
import { attemptDelivery, type AttemptOutcome, retryDelayMs } from "./attempt.ts";
import { attemptMail } from "./mails.ts";
import { configuredId, configuredReceiver, type Receiver, receiverOf } from "./receiver.ts";

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
async function noteEndpointOutcome(
  endpointId: string,
  outcome: AttemptOutcome,
  { store, now, report }: HealthOptions,
): Promise<void> {
  if (endpointId === configuredId || endpointId === mailReceiverId) return;
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
  if (!enabled || type === "stopped" || type === "rejected") return undefined;
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

/** `failed`: it is tried again; `abandoned`: it is not. */
export const deliveryOutcomes = ["delivered", "failed", "abandoned"] as const;
export type DeliveryOutcome = typeof deliveryOutcomes[number];

/** The dependencies of deliveries. */
export interface DeliveryOptions {
  readonly store: Store;
  /** The webhook of the configuration, which receives alerts. */
  readonly configured: WebhookSettings | undefined;
  readonly send: Send;
  /** Timeout of the receiver. */
  readonly timeoutMs: number;
  /** Sends mails; absent without the console's texts. */
  readonly mail?: MailPost;
  /** The origin of links to the console. */
  readonly publicUrl?: string;
  readonly now: () => number;
  readonly random: () => number;
  readonly report: Report;
  readonly onDelivery: (outcome: DeliveryOutcome) => void;
}

/** The lifetime of a claim, as a multiple of the longest attempt. */
const claimShare = 4;

/** A receiver with its means of delivery. */
interface Lane {
  readonly id: string;
  attempt(delivery: WebhookDelivery, signal: AbortSignal): Promise<AttemptOutcome>;
}

/** Sends due events from the store: one at a time to each receiver, and to all of them at once. */
export class Deliveries {
  readonly #options: DeliveryOptions;
  readonly #sending = new Map<string, Promise<void>>();
  /** True if a delivery was waiting, due or not, at the last look. */
  isWaiting = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /**
   * Sends what is due. Stops at the first failure of a receiver, because that may be overloaded;
   * other receivers do not wait for it.
   */
  async sendDue(signal: AbortSignal): Promise<void> {
    const { store, configured, now } = this.#options;
    this.isWaiting = await hasWaiting(store);
    if (!this.isWaiting) return;
    const enabled = (await listEndpoints(store))
      .filter(({ enabled, secretFault }) => enabled && secretFault === undefined);
    const receivers = enabled.map((endpoint) => receiverOf(endpoint, now()));
    if (configured) receivers.push(configuredReceiver(configured));
    const lanes = [...receivers.map((receiver) => this.#laneOf(receiver)), ...await this.#mails()];
    for (const lane of lanes) this.#start(lane, signal);
    await Promise.all(this.#sending.values());
  }

  #laneOf(receiver: Receiver): Lane {
    return {
      id: receiver.id,
      attempt: ({ eventId: id, body }, signal) =>
        attemptDelivery(receiver, { id, body }, { ...this.#options, signal }),
    };
  }

  /** The lane of all mails, if a server is set up. */
  async #mails(): Promise<Lane[]> {
    const { mail, now } = this.#options;
    const route = await mail?.route();
    if (!mail || !route) return [];
    const attempt = (delivery: WebhookDelivery, signal: AbortSignal) =>
      attemptMail(() => mail.attempt(route, delivery, signal), now);
    return [{ id: mailReceiverId, attempt }];
  }

  #start(lane: Lane, signal: AbortSignal): void {
    const { id } = lane;
    if (this.#sending.has(id)) return;
    const sending = this.#sendTo(lane, signal).finally(() => this.#sending.delete(id));
    this.#sending.set(id, sending);
  }

  async #sendTo(lane: Lane, signal: AbortSignal): Promise<void> {
    const { store, now, timeoutMs } = this.#options;
    const claimMs = claimShare * timeoutMs;
    while (!signal.aborted) {
      const claimed = await claimDelivery(store, lane.id, { nowMs: now(), claimMs });
      if (claimed === undefined) return;
      const outcome = await lane.attempt(claimed.delivery, signal);
      await this.#note(claimed, outcome);
      if (isOfReceiver(outcome)) return;
    }
  }

  async #note(claimed: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> {
    const { store, now, random, onDelivery } = this.#options;
    const nowMs = now();
    const verdict = verdictOf(outcome, claimed.delivery.attempts, { nowMs, random });
    const attempt = outcome.type === "stopped" ? undefined : outcome.attempt;
    await endClaim(store, claimed, { ...verdict, attempt, nowMs });
    if (outcome.type === "stopped") return;
    onDelivery(verdict.state === "waiting" ? "failed" : verdict.state);
    if (verdict.state !== "delivered") this.#tell(claimed, verdict, outcome.attempt.fault);
    await noteEndpointOutcome(claimed.delivery.endpointId, outcome, this.#options);
  }

  #tell({ delivery }: ClaimedDelivery, { attempts, dueAtMs }: Verdict, fault?: string): void {
    const { eventId, endpointId } = delivery;
    const again = dueAtMs === undefined ? undefined : new Date(dueAtMs).toISOString();
    const fields = { eventId, endpointId, attempts, fault };
    const { report } = this.#options;
    if (again) report("warn", "Cannot deliver event", { ...fields, again });
    else report("error", "Cannot deliver event: no further attempts are made", fields);
  }
}

/** True for a failure after which the receiver gets no other event for now. */
function isOfReceiver(outcome: AttemptOutcome): boolean {
  if (outcome.type === "failed") return !outcome.isOfEvent;
  return outcome.type === "gone" || outcome.type === "stopped";
}

/** The state after an attempt; with `dueAtMs`, another attempt follows. */
interface Verdict {
  readonly state: "waiting" | "delivered" | "abandoned";
  readonly attempts: number;
  readonly dueAtMs?: number;
}

function verdictOf(
  outcome: AttemptOutcome,
  attemptsBefore: number,
  { nowMs, random }: { readonly nowMs: number; readonly random: () => number },
): Verdict {
  const attempts = attemptsBefore + 1;
  switch (outcome.type) {
    case "delivered":
      return { state: "delivered", attempts };
    case "gone":
    case "rejected":
      return { state: "abandoned", attempts };
    case "stopped":
      return { state: "waiting", attempts: attemptsBefore, dueAtMs: nowMs };
    case "failed": {
      const delayMs = retryDelayMs(attempts, { random, askedMs: outcome.askedMs });
      if (delayMs === undefined) return { state: "abandoned", attempts };
      return { state: "waiting", attempts, dueAtMs: nowMs + delayMs };
    }
    default:
      return outcome satisfies never;
  }
}
