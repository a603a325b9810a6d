import { type ErrorCode, GatewayError } from "../canonical/mod.ts";
import { newId } from "../store/mod.ts";
import type { DeliveryAttempt } from "../store/webhooks/mod.ts";
import type { Send } from "../upstreams/send.ts";
import { eventBody } from "./event_types.ts";
import { bodyIn } from "./chat_format.ts";
import type { Receiver } from "./receiver.ts";

/** The means to make an attempt. */
interface AttemptOptions {
  readonly send: Send;
  readonly now: () => number;
  /** Timeout of the receiver. */
  readonly timeoutMs: number;
  /** The origin of links to the console; absent: messages of chats have none. */
  readonly publicUrl?: string;
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
  /** `isOfEvent`: other events may still be sent to the receiver. */
  | {
    readonly type: "failed";
    readonly attempt: DeliveryAttempt;
    readonly askedMs?: number;
    readonly isOfEvent?: boolean;
  }
  /** The receiver rejects this event permanently. */
  | { readonly type: "rejected"; readonly attempt: DeliveryAttempt }
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

async function post(receiver: Receiver, event: SentEvent, options: AttemptOptions) {
  const { url, origin, format } = receiver;
  const { send, now, timeoutMs, publicUrl, signal } = options;
  const headers = format === "event" ? await signatureOf(receiver, event, now()) : {};
  const body = bodyIn(format, event.body, publicUrl);
  const answer = await send({ url, origin, headers, body }, timeoutsOf(timeoutMs), signal);
  answer.cancel(new GatewayError("client_closed", "Only the webhook's status is read"));
  return answer;
}

/** Signs with every secret of the receiver: receivers accept any of the signatures. */
async function signatureOf({ secrets }: Receiver, { id, body }: SentEvent, atMs: number) {
  const { Webhook } = await import("standardwebhooks");
  const at = new Date(atMs);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(atMs / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
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

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

/** Delays after failed attempts, as Standard Webhooks suggests: three days in all. */
const delaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const;

const longestMs = 24 * hourMs;
/** The maximum share added to a delay, so that simultaneous failures are not retried together. */
const jitterShare = 0.2;

/** Returns the delay after a number of attempts, or the receiver's longer one; undefined to give up. */
export function retryDelayMs(
  attempts: number,
  { random, askedMs = 0 }: { readonly random: () => number; readonly askedMs?: number },
): number | undefined {
  const delayMs = delaysMs.at(attempts - 1);
  if (attempts < 1 || delayMs === undefined) return undefined;
  const jittered = Math.round(delayMs * (1 + jitterShare * random()));
  return Math.max(jittered, Math.min(askedMs, longestMs));
}

/** Returns the delay of a `retry-after` header, in seconds or as a date; undefined if it has none. */
export function askedDelayMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const askedMs = /^\d{1,9}$/.test(text) ? Number(text) * secondMs : Date.parse(text) - nowMs;
  return askedMs > 0 ? askedMs : undefined;
}
