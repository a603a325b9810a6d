import { noBytes } from "../../bytes.ts";
import { callerLeft, GatewayError, type Note } from "../../canonical/mod.ts";
import type { SentEvents } from "../../formats/wire.ts";
import { withParsed } from "../../json/mod.ts";
import { answerErrorOf } from "../errors.ts";
import { errorOnceSent } from "../hang_up.ts";
import { startTimer, type Timer } from "../timers.ts";
import { closeBehindSigns, type SignsOfLife } from "./framing.ts";
import { answerComplete, type Source, TailedReading } from "./source.ts";
import {
  outcomeOf,
  type Outgoing,
  type Settled,
  type StreamResult,
  type Transcoder,
} from "./transcoder.ts";

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
  let body: StreamBody<T>;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      body = new StreamBody(source, transcoder, { ...options, controller });
    },
    pull: () => body.pull(),
    cancel: () => body.leave(),
  }, { highWaterMark: 0 });
}

class StreamBody<T> {
  readonly #source: Source<T>;
  readonly #transcoder: Transcoder<T>;
  readonly #options: StreamBodyOptions;
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #reading: TailedReading;
  readonly #pending: Outgoing[];
  /** True once any content was sent to the caller. */
  #begun = false;
  /** True if nothing was sent since the keep-alive timer last fired. */
  #isSilent = true;
  #settled = false;
  /** The failure whose message was sent: the connection breaks off after it. */
  #broken?: GatewayError;
  #keepAliveTimer?: Timer;
  /** The time at which the last read ended; infinite during a read. */
  #unreadSinceMs = performance.now();
  #readTimer?: Timer;

  constructor(
    source: Source<T>,
    transcoder: Transcoder<T>,
    { controller, ...options }: StreamBodyOptions & {
      readonly controller: ReadableStreamDefaultController<Uint8Array>;
    },
  ) {
    this.#source = source;
    this.#transcoder = transcoder;
    this.#options = options;
    this.#controller = controller;
    this.#reading = new TailedReading(options.tailMs);
    this.#pending = [...options.first];
    if (options.signs) this.#keepAlive(options.signs);
    this.#startReadTimer(options.readTimeoutMs);
  }

  async pull(): Promise<void> {
    this.#unreadSinceMs = Infinity;
    try {
      if (this.#broken) return await errorOnceSent(this.#controller, this.#broken);
      for (;;) {
        const outgoing = this.#pending.shift() ??
          await nextOutgoing(this.#source, this.#transcoder, this.#reading);
        if (this.#settled) return; // the caller disconnected during the read
        if (this.#options.caller.aborted) return await this.leave();
        if (outgoing.bytes) this.#sendContent(outgoing);
        if (outgoing.broken) throw outgoing.broken;
        if (outgoing.terminal) return await this.#finish(outgoing);
        if (outgoing.bytes) return;
      }
    } catch (error) {
      await this.#breakOff(error);
    } finally {
      this.#unreadSinceMs = performance.now();
    }
  }

  async leave(): Promise<void> {
    const gone = callerLeft();
    this.#source.cancel(gone);
    if (this.#settled) return;
    const result: StreamResult = { ...this.#known(), outcome: "client_gone", error: gone };
    this.#end();
    await new Promise((resolve) => setTimeout(resolve, hangUpMs));
    await this.#options.settle(result);
  }

  #sendContent({ bytes = noBytes, rest = [] }: Outgoing): void {
    this.#send(bytes);
    for (const piece of rest) this.#send(piece);
    this.#begun = true;
    this.#isSilent = false;
  }

  #send(bytes: Uint8Array): void {
    this.#controller.enqueue(this.#options.signs?.continuedBy(bytes) ?? bytes);
  }

  async #finish({ terminal = noBytes, rest = [] }: Outgoing): Promise<void> {
    const result = this.#transcoder.result();
    try {
      const settled = await this.#settle(result);
      if (terminal.length > 0) {
        this.#send(this.#options.close(terminal, settled, result.notes ?? []));
      }
      for (const piece of rest) this.#send(piece);
      this.#close(result.error);
    } catch (error) {
      this.#withhold(error); // usage that cannot be stored must not look like a clean end
    } finally {
      if (this.#transcoder.isFinished && !result.error) this.#source.release();
      else this.#source.cancel(answerComplete); // the upstream may still be generating
    }
  }

  #withhold(thrown: unknown): void {
    const known = thrown instanceof GatewayError && thrown.code === "store_unavailable"
      ? thrown
      : undefined;
    const form = known && this.#options.errorForm(known, this.#transcoder.sent?.());
    if (!form) return this.#controller.error(thrown);
    this.#send(form);
    this.#close(known);
  }

  /**
   * Closes a complete body. A failed one waits until it is read: Deno pulls again once it has taken
   * the last bytes.
   */
  #close(failure: GatewayError | undefined): void {
    if (failure && this.#options.breaksOff) this.#broken = failure;
    else closeBehindSigns(this.#controller, this.#options.signs);
  }

  /**
   * Breaks the stream off and settles the call, after a bug while the answer was written or a failure
   * for which the format has no error event.
   */
  async #breakOff(thrown: unknown): Promise<void> {
    const error = answerErrorOf(thrown);
    this.#controller.error(error);
    this.#source.cancel(error);
    if (this.#settled) return;
    await this.#settle({ ...this.#known(), outcome: outcomeOf(error), error });
  }

  /** The result so far, if anything was sent: unsent content is not the caller's. */
  #known(): Omit<StreamResult, "outcome"> {
    return this.#begun ? this.#transcoder.result() : {};
  }

  #settle(result: StreamResult): Promise<Settled> {
    this.#end();
    return this.#options.settle(result);
  }

  #end(): void {
    this.#settled = true;
    this.#keepAliveTimer?.cancel();
    this.#readTimer?.cancel();
  }

  /** Sends a sign at each interval without bytes; a reader that does not read needs none. */
  #keepAlive(signs: SignsOfLife): void {
    this.#keepAliveTimer = startTimer(this.#options.keepAliveMs, () => {
      this.#keepAlive(signs);
      const isWaiting = (this.#controller.desiredSize ?? 0) >= 0;
      if (isWaiting && this.#isSilent) this.#controller.enqueue(signs.next());
      this.#isSilent = true;
    });
  }

  /** A caller that keeps its connection open but reads nothing would hold the upstream's without limit. */
  #startReadTimer(delayMs: number): void {
    const { readTimeoutMs } = this.#options;
    this.#readTimer = startTimer(delayMs, () => {
      const leftMs = this.#unreadSinceMs + readTimeoutMs - performance.now();
      if (leftMs > 0) return this.#startReadTimer(Math.min(leftMs, readTimeoutMs));
      this.#controller.error(callerLeft());
      this.leave().catch(() => {}); // a failure to settle was reported already
    });
  }
}

/** Settling may count tokens for a while, and the upstream should be cancelled before that. */
const hangUpMs = 10;

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
