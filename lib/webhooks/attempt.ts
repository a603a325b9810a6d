import { type ErrorCode, GatewayError } from "../canonical/mod.ts";
import { newId } from "../store/mod.ts";
import type { DeliveryAttempt } from "../store/webhooks/mod.ts";
import type { Send } from "../upstreams/send.ts";
import { eventBody } from "./event_types.ts";
import { askedDelayMs } from "./retry.ts";
import type { Receiver } from "./receiver.ts";

/** The means to make an attempt. */
interface AttemptOptions {
  readonly send: Send;
  readonly now: () => number;
  /** Timeout of the receiver. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** An event as it is sent. */
interface SentEvent {
  readonly id: string;
  readonly body: string;
}

/** The result of an attempt. */
export type AttemptOutcome =
  | { readonly type: "delivered"; readonly attempt: DeliveryAttempt }
  | { readonly type: "failed"; readonly attempt: DeliveryAttempt; readonly askedMs?: number }
  /** The receiver rejects the webhook permanently. */
  | { readonly type: "gone"; readonly attempt: DeliveryAttempt }
  /** The server is stopping: the attempt was not made. */
  | { readonly type: "stopped" };

/** The result of a test delivery; `answered-` is followed by the status. */
export type DeliveryTest = "delivered" | `answered-${number}` | "timeout" | "unreachable";

/** Sends an event once. Never throws. */
export async function attemptDelivery(
  receiver: Receiver,
  event: SentEvent,
  options: AttemptOptions,
): Promise<AttemptOutcome> {
  const atMs = options.now();
  try {
    const { status, headers } = await post(receiver, event, options);
    const nowMs = options.now();
    return outcomeOf({ atMs, durationMs: nowMs - atMs, status }, headers, nowMs);
  } catch (thrown) {
    return failureOf(thrown, { atMs, durationMs: options.now() - atMs });
  }
}

/** Sends a test event once, without storing it. */
export async function testDelivery(
  receiver: Receiver,
  options: AttemptOptions,
): Promise<DeliveryTest> {
  const id = newId("test");
  const message = "This is a test event from Tessera";
  const body = eventBody("test", options.now(), { id, message });
  try {
    const { status } = await post(receiver, { id, body }, options);
    return isSuccess(status) ? "delivered" : `answered-${status}`;
  } catch (thrown) {
    const isLate = thrown instanceof GatewayError && thrown.code === "upstream_timeout";
    return isLate ? "timeout" : "unreachable";
  }
}

/** Signs with every secret of the receiver: receivers accept any of the signatures. */
async function post(
  { url, origin, secrets }: Receiver,
  { id, body }: SentEvent,
  { send, now, timeoutMs, signal }: AttemptOptions,
) {
  const { Webhook } = await import("standardwebhooks");
  const at = new Date(now());
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
  const answer = await send({ url, origin, headers, body }, timeoutsOf(timeoutMs), signal);
  answer.cancel(new GatewayError("client_closed", "Only the webhook's status is read"));
  return answer;
}

function timeoutsOf(timeoutMs: number) {
  return { connectMs: timeoutMs, firstByteMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs };
}

const gone = 410;

/**
 * Only 2xx is a success. A redirect is a failure: following it would send the event to another
 * receiver.
 */
function outcomeOf(
  made: DeliveryAttempt & { readonly status: number },
  headers: Pick<Headers, "get">,
  nowMs: number,
): AttemptOutcome {
  if (isSuccess(made.status)) return { type: "delivered", attempt: made };
  const attempt = { ...made, fault: `The receiver answered ${made.status}` };
  if (made.status === gone) return { type: "gone", attempt };
  return { type: "failed", attempt, askedMs: askedDelayMs(headers.get("retry-after"), nowMs) };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

const faults: Partial<Record<ErrorCode, string>> = {
  upstream_unreachable: "The receiver could not be reached",
  upstream_timeout: "The receiver did not answer in time",
};

function failureOf(thrown: unknown, made: DeliveryAttempt): AttemptOutcome {
  const code = thrown instanceof GatewayError ? thrown.code : "internal_error";
  if (code === "shutting_down" || code === "client_closed") return { type: "stopped" };
  const fault = faults[code] ?? "The event could not be sent";
  return { type: "failed", attempt: { ...made, fault } };
}
