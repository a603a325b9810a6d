import { type ErrorCode, GatewayError } from "../canonical/mod.ts";
import type { WebhookSettings } from "../config.ts";
import {
  type AlertDelivery,
  claimDueAlert,
  type ClaimedAlert,
  endClaim,
} from "../store/alerts/mod.ts";
import { newId, type Store } from "../store/mod.ts";
import type { Report } from "../telemetry/log.ts";
import type { Send } from "../upstreams/send.ts";
import { eventBody, testBody } from "./event.ts";
import { askedDelayMs, retryDelayMs } from "./retry.ts";

/** `failed`: it is tried again; `abandoned`: it is not. */
export const deliveryOutcomes = ["delivered", "failed", "abandoned"] as const;
export type DeliveryOutcome = typeof deliveryOutcomes[number];

interface DeliveryOptions {
  readonly store: Store;
  readonly webhook: WebhookSettings;
  readonly send: Send;
  /** Timeout of the receiver; 15 seconds by default. */
  readonly timeoutMs?: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly report: Report;
  readonly onDelivery: (outcome: DeliveryOutcome) => void;
}

const usualTimeoutMs = 15_000;
/** The lifetime of a claim, as a multiple of the longest attempt. */
const claimShare = 4;

/** The result of a test delivery; `answered-` is followed by the status. */
export type DeliveryTest = "delivered" | `answered-${number}` | "timeout" | "unreachable";

interface WebhookEvent {
  readonly id: string;
  readonly body: string;
}

/** The result of an attempt. */
type Attempt =
  | { readonly type: "delivered" }
  | { readonly type: "failed"; readonly fault: string; readonly askedMs?: number }
  /** The receiver rejects the webhook permanently. */
  | { readonly type: "unwanted"; readonly fault: string }
  /** The server is stopping: the attempt was not made. */
  | { readonly type: "stopped" };

/** Sends due alerts from the store to the webhook, one at a time. */
export class Deliveries {
  constructor(readonly options: DeliveryOptions) {}

  /** Sends due alerts, and stops at the first failure, because the receiver may be overloaded. */
  async sendDue(signal: AbortSignal): Promise<void> {
    const { store, now, timeoutMs = usualTimeoutMs } = this.options;
    const claimMs = claimShare * timeoutMs;
    while (!signal.aborted) {
      const claimed = await claimDueAlert(store, { nowMs: now(), claimMs });
      if (claimed === undefined) return;
      const attempt = await this.#attempt(claimed, signal);
      await this.#note(claimed, attempt);
      if (attempt.type !== "delivered") return;
    }
  }

  /** Sends a test event once, without storing it. */
  async test(signal: AbortSignal): Promise<DeliveryTest> {
    const id = newId("test");
    try {
      const { status } = await this.#post({ id, body: testBody(id, this.options.now()) }, signal);
      return status >= 200 && status <= 299 ? "delivered" : `answered-${status}`;
    } catch (thrown) {
      const isLate = thrown instanceof GatewayError && thrown.code === "upstream_timeout";
      return isLate ? "timeout" : "unreachable";
    }
  }

  async #attempt({ alert }: ClaimedAlert, signal: AbortSignal): Promise<Attempt> {
    try {
      const event = { id: alert.id, body: eventBody(alert) };
      const { status, headers } = await this.#post(event, signal);
      return attemptOf(status, headers, this.options.now());
    } catch (thrown) {
      return failureOf(thrown);
    }
  }

  async #post({ id, body }: WebhookEvent, signal: AbortSignal) {
    const { webhook: { url, secret }, send, now, timeoutMs = usualTimeoutMs } = this.options;
    const { Webhook } = await import("standardwebhooks");
    const atMs = now();
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(atMs / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, new Date(atMs), body),
    };
    const outbound = { url, origin: "config", headers, body } as const;
    const answer = await send(outbound, timeoutsOf(timeoutMs), signal);
    answer.cancel(new GatewayError("client_closed", "Only the webhook's status is read"));
    return answer;
  }

  async #note(claimed: ClaimedAlert, attempt: Attempt): Promise<void> {
    const { store, now, random, onDelivery } = this.options;
    const nowMs = now();
    const verdict = verdictOf(attempt, claimed.alert.delivery?.attempts ?? 0, { nowMs, random });
    await endClaim(store, claimed, { ...verdict, nowMs });
    if (attempt.type === "stopped") return;
    const { state } = verdict.delivery;
    onDelivery(state === "waiting" ? "failed" : state);
    if (state !== "delivered") this.#tell(claimed, verdict);
  }

  #tell({ alert: { id } }: ClaimedAlert, { delivery, dueAtMs }: Verdict): void {
    const { attempts, fault } = delivery;
    const again = dueAtMs === undefined ? undefined : new Date(dueAtMs).toISOString();
    const fields = { alertId: id, attempts, fault };
    if (again) this.options.report("warn", "Cannot deliver alert", { ...fields, again });
    else this.options.report("error", "Cannot deliver alert: no further attempts are made", fields);
  }
}

/** The outcome of an attempt; with `dueAtMs`, another attempt follows. */
interface Verdict {
  readonly delivery: AlertDelivery;
  readonly dueAtMs?: number;
}

function verdictOf(
  attempt: Attempt,
  attemptsBefore: number,
  { nowMs, random }: { readonly nowMs: number; readonly random: () => number },
): Verdict {
  const attempts = attemptsBefore + 1;
  switch (attempt.type) {
    case "delivered":
      return { delivery: { state: "delivered", attempts } };
    case "unwanted":
      return { delivery: { state: "abandoned", attempts, fault: attempt.fault } };
    case "stopped":
      return { delivery: { state: "waiting", attempts: attemptsBefore }, dueAtMs: nowMs };
    case "failed": {
      const { fault, askedMs } = attempt;
      const delayMs = retryDelayMs(attempts, { random, askedMs });
      if (delayMs === undefined) return { delivery: { state: "abandoned", attempts, fault } };
      return { delivery: { state: "waiting", attempts, fault }, dueAtMs: nowMs + delayMs };
    }
    default:
      return attempt satisfies never;
  }
}

function timeoutsOf(timeoutMs: number) {
  return { connectMs: timeoutMs, firstByteMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs };
}

const gone = 410;

/**
 * Only 2xx is a success. A redirect is a failure: following it would send the alert to another
 * receiver.
 */
function attemptOf(status: number, headers: Pick<Headers, "get">, nowMs: number): Attempt {
  if (status >= 200 && status <= 299) return { type: "delivered" };
  const fault = `The receiver answered ${status}`;
  if (status === gone) return { type: "unwanted", fault };
  return { type: "failed", fault, askedMs: askedDelayMs(headers.get("retry-after"), nowMs) };
}

const faults: Partial<Record<ErrorCode, string>> = {
  upstream_unreachable: "The receiver could not be reached",
  upstream_timeout: "The receiver did not answer in time",
};

function failureOf(thrown: unknown): Attempt {
  const code = thrown instanceof GatewayError ? thrown.code : "internal_error";
  if (code === "shutting_down" || code === "client_closed") return { type: "stopped" };
  return { type: "failed", fault: faults[code] ?? "The alert could not be sent" };
}
