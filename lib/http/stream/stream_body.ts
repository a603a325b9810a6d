import { noBytes } from "../../bytes.ts";
import { callerLeft, GatewayError, type Note } from "../../canonical/mod.ts";
import type { SentEvents } from "../../formats/wire.ts";
import { withParsed } from "../../json/mod.ts";
import type { Settled } from "../cost.ts";
import { answerErrorOf } from "../errors.ts";
import { errorOnceSent } from "../hang_up.ts";
import { startTimer, type Timer } from "../timers.ts";
import { closeBehindSigns, type SignsOfLife } from "./sign_of_life.ts";
import { complete, type Source, TailedReading } from "./source.ts";
import { outcomeOf, type Outgoing, type StreamResult, type Transcoder } from "./transcoder.ts";

/** Writes a stream's last bytes, once its usage is durable and its notes are known. */
export type CloseStream = (
  terminal: Uint8Array,
  settled: Settled,
  notes: readonly Note[],
) => Uint8Array;

interface StreamBodyOptions {
  /** Makes the call's usage durable. The terminal event waits for it; it is called exactly once. */
  readonly settle: (result: StreamResult) => Promise<Settled>;
  /** The error form of a started answer whose end is withheld; undefined if its framing has none. */
  readonly errorForm: (error: GatewayError, sent?: SentEvents) => Uint8Array | undefined;
  /** Writes the terminal event after settling. */
  readonly close: CloseStream;
  /** Aborts when the caller disconnects: later items are not sent. */
  readonly caller: AbortSignal;
  /** Keep-alives of this stream; default: none. */
  readonly signs?: SignsOfLife;
  readonly keepAliveMs: number;
  /** Maximum time for events after a finished answer, in milliseconds. */
  readonly tailMs: number;
  /** Time after which a caller that reads nothing counts as disconnected, in milliseconds. */
  readonly readTimeoutMs: number;
  /** True if the connection breaks off after an error; default: false. */
  readonly breaksOff?: boolean;
  /** Output that was read while the answer's status was undecided. */
  readonly first: readonly Outgoing[];
}

/**
 * The body of a streamed answer. Pulls one item at a time, so that a slow reader slows the upstream
 * and nothing piles up; sends a keep-alive while the upstream is silent; aborts the upstream when
 * the caller disconnects.
 */
export function streamBody<T>(
  source: Source<T>,
  transcoder: Transcoder<T>,
  options: StreamBodyOptions,
): ReadableStream<Uint8Array> {
  const state: BodyState<T> = {
    source,
    transcoder,
    options,
    reading: new TailedReading(options.tailMs),
    pending: [...options.first],
    begun: false,
    isSilent: true,
    settled: false,
    unreadSinceMs: performance.now(),
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      startKeepAlive(state, controller);
      startReadTimer(state, controller, options.readTimeoutMs);
    },
    pull: (controller) => pull(state, controller),
    cancel: () => leave(state),
  }, { highWaterMark: 0 });
}

interface BodyState<T> {
  readonly source: Source<T>;
  readonly transcoder: Transcoder<T>;
  readonly options: StreamBodyOptions;
  readonly reading: TailedReading;
  readonly pending: Outgoing[];
  /** True once any content was sent to the caller. */
  begun: boolean;
  /** True if nothing was sent since the keep-alive timer last fired. */
  isSilent: boolean;
  settled: boolean;
  /** The failure whose message was sent: the connection breaks off after it. */
  broken?: GatewayError;
  keepAliveTimer?: Timer;
  /** The time at which the last read ended; infinite during a read. */
  unreadSinceMs: number;
  readTimer?: Timer;
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

async function pull<T>(state: BodyState<T>, controller: Controller): Promise<void> {
  state.unreadSinceMs = Infinity;
  try {
    if (state.broken) return await errorOnceSent(controller, state.broken);
    for (;;) {
      const outgoing = state.pending.shift() ??
        await nextOutgoing(state.source, state.transcoder, state.reading);
      if (state.settled) return; // the caller disconnected during the read
      if (state.options.caller.aborted) return await leave(state);
      if (outgoing.bytes) sendContent(state, controller, outgoing);
      if (outgoing.broken) throw outgoing.broken;
      if (outgoing.terminal) return await finish(state, controller, outgoing);
      if (outgoing.bytes) return;
    }
  } catch (error) {
    await breakOff(state, controller, error);
  } finally {
    state.unreadSinceMs = performance.now();
  }
}

function sendContent<T>(
  state: BodyState<T>,
  controller: Controller,
  { bytes = noBytes, rest = [] }: Outgoing,
): void {
  send(state, controller, bytes);
  for (const piece of rest) send(state, controller, piece);
  state.begun = true;
  state.isSilent = false;
}

/** Sends bytes of the answer to the caller. */
function send<T>({ options }: BodyState<T>, controller: Controller, bytes: Uint8Array): void {
  controller.enqueue(options.signs?.continuedBy(bytes) ?? bytes);
}

/** Reads one item and converts it to bytes; a failure becomes the format's own error form. */
export async function nextOutgoing<T>(
  source: Source<T>,
  transcoder: Transcoder<T>,
  reading: TailedReading,
): Promise<Outgoing> {
  try {
    const more = transcoder.more?.();
    if (more) return await more;
    const item = await reading.next(source, transcoder.isFinished);
    if (item === undefined) return transcoder.end();
    const parsing = transcoder.ahead?.(item);
    const parsed = parsing && await parsing;
    return parsed ? withParsed(parsed, () => transcoder.push(item)) : transcoder.push(item);
  } catch (error) {
    return transcoder.fail(answerErrorOf(error));
  }
}

async function finish<T>(
  state: BodyState<T>,
  controller: Controller,
  { terminal = noBytes, rest = [] }: Outgoing,
): Promise<void> {
  const result = state.transcoder.result();
  try {
    const settled = await settleOnce(state, result);
    if (terminal.length > 0) {
      send(state, controller, state.options.close(terminal, settled, result.notes ?? []));
    }
    for (const piece of rest) send(state, controller, piece);
    closeBehind(state, controller, result.error);
  } catch (error) {
    withhold(state, controller, error); // usage that cannot be stored must not look like a clean end
  } finally {
    if (state.transcoder.isFinished && !result.error) state.source.release();
    else state.source.cancel(complete); // the upstream may still be generating
  }
}

function withhold<T>(state: BodyState<T>, controller: Controller, thrown: unknown): void {
  const known = thrown instanceof GatewayError && thrown.code === "store_unavailable"
    ? thrown
    : undefined;
  const form = known && state.options.errorForm(known, state.transcoder.sent?.());
  if (!form) return controller.error(thrown);
  send(state, controller, form);
  closeBehind(state, controller, known);
}

/**
 * Closes a complete body. A failed one waits until it is read: Deno pulls again once it has taken
 * the last bytes.
 */
function closeBehind<T>(
  state: BodyState<T>,
  controller: Controller,
  failure: GatewayError | undefined,
): void {
  if (failure && state.options.breaksOff) state.broken = failure;
  else closeBehindSigns(controller, state.options.signs);
}

/**
 * Breaks the stream off and settles the call, after a bug while the answer was written or a failure
 * for which the format has no error event.
 */
async function breakOff<T>(
  state: BodyState<T>,
  controller: Controller,
  thrown: unknown,
): Promise<void> {
  const error = answerErrorOf(thrown);
  controller.error(error);
  state.source.cancel(error);
  if (!state.settled) {
    await settleOnce(state, { ...known(state), outcome: outcomeOf(error), error });
  }
}

async function leave<T>(state: BodyState<T>): Promise<void> {
  const gone = callerLeft();
  state.source.cancel(gone);
  if (state.settled) return;
  const result: StreamResult = { ...known(state), outcome: "client_gone", error: gone };
  end(state);
  await new Promise((resolve) => setTimeout(resolve, hangUpMs));
  await state.options.settle(result);
}

/** Settling may count tokens for a while, and the upstream should be cancelled before that. */
const hangUpMs = 10;

/** The result so far, if anything was sent: unsent content is not the caller's. */
function known<T>({ begun, transcoder }: BodyState<T>): Omit<StreamResult, "outcome"> {
  return begun ? transcoder.result() : {};
}

function settleOnce<T>(state: BodyState<T>, result: StreamResult): Promise<Settled> {
  end(state);
  return state.options.settle(result);
}

function end<T>(state: BodyState<T>): void {
  state.settled = true;
  state.keepAliveTimer?.cancel();
  state.readTimer?.cancel();
}

function startKeepAlive<T>(state: BodyState<T>, controller: Controller): void {
  const { signs, keepAliveMs } = state.options;
  if (!signs) return;
  const look = () => {
    state.keepAliveTimer = startTimer(keepAliveMs, look);
    const waiting = (controller.desiredSize ?? 0) >= 0; // a reader that does not read needs no keep-alive
    if (waiting && state.isSilent) controller.enqueue(signs.next());
    state.isSilent = true;
  };
  state.keepAliveTimer = startTimer(keepAliveMs, look);
}

/** A caller that keeps its connection open but reads nothing would hold the upstream's without limit. */
function startReadTimer<T>(state: BodyState<T>, controller: Controller, delayMs: number): void {
  const { readTimeoutMs } = state.options;
  state.readTimer = startTimer(delayMs, () => {
    const leftMs = state.unreadSinceMs + readTimeoutMs - performance.now();
    if (leftMs > 0) return startReadTimer(state, controller, Math.min(leftMs, readTimeoutMs));
    controller.error(callerLeft());
    leave(state).catch(() => {}); // a failure to settle was reported already
  });
}
