import { callerLeft, GatewayError } from "../canonical/mod.ts";
import { startTimer, type Timer } from "../http/timers.ts";
import type { RosterMember } from "../roster.ts";
import type { UpstreamTimeouts as Timeouts } from "../store/mod.ts";

/**
 * Ends a call to an upstream on a timeout or if the caller disconnects; `signal` aborts with the
 * matching `GatewayError`. Reading only records a time, so chunks need no timers. Idle time counts
 * only during reads, because a slow caller is not the upstream's fault.
 */
export class Deadline implements RosterMember {
  position = -1;
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  readonly #timeouts: Timeouts;
  readonly #caller: AbortSignal;
  readonly #onClose: (closed: Deadline) => void;
  readonly #onCallerGone = () => this.abort(callerLeft());
  readonly #endsAt: number;
  #phase?: Phase;
  #phaseMs = 0;
  #phaseSince = 0;
  #isReading = false;
  #readingSince = 0;
  /** Fires at the end of the answer's or the phase's time, or before it. Started by the first phase. */
  #timer: Timer | undefined;
  #firesAt = Infinity;

  constructor(
    timeouts: Timeouts,
    { caller, onClose }: {
      readonly caller: AbortSignal;
      readonly onClose: (closed: Deadline) => void;
    },
  ) {
    this.#timeouts = timeouts;
    this.#caller = caller;
    this.#onClose = onClose;
    this.#endsAt = performance.now() + timeouts.totalMs;
    if (caller.aborted) this.#onCallerGone();
    else caller.addEventListener("abort", this.#onCallerGone);
  }

  awaitConnection(): void {
    this.#enter("connection", this.#timeouts.connectMs, performance.now());
  }

  /** Waits for a byte of the body: headers may arrive long before it. */
  awaitFirstByte(): void {
    this.#enter("first byte", this.#timeouts.firstByteMs, performance.now());
  }

  /** From now on only silence of `idleMs` ends the call. */
  awaitChunks(): void {
    this.#enter("next chunk", this.#timeouts.idleMs, this.startReading());
  }

  /** Waits for the end of an answer that the caller already has. */
  awaitEnd(): void {
    this.#caller.removeEventListener("abort", this.#onCallerGone);
    this.#enter("end", endMs, performance.now());
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  /** Returns the time of its start. */
  startReading(): number {
    this.#isReading = true;
    return this.#readingSince = performance.now();
  }

  stopReading(): void {
    this.#isReading = false;
  }

  abort(error: GatewayError): void {
    this.close();
    this.#controller.abort(error);
  }

  /** Stops the timer after the end of the call. */
  close(): void {
    this.#timer?.cancel();
    this.#firesAt = -Infinity;
    this.#caller.removeEventListener("abort", this.#onCallerGone);
    this.#onClose(this);
  }

  #enter(phase: Phase, ms: number, now: number): void {
    this.#phase = phase;
    this.#phaseMs = ms;
    this.#phaseSince = now;
    const firstMs = Math.min(ms, this.#timeouts.idleMs); // so that the next phase needs no other timer
    this.#fireBy(Math.min(now + firstMs, this.#endsAt), now);
  }

  /** Makes the one timer fire by this time. It may fire before, and then finds out what is due. */
  #fireBy(atMs: number, now: number): void {
    if (atMs >= this.#firesAt) return;
    this.#timer?.cancel();
    this.#firesAt = atMs;
    this.#timer = startTimer(atMs - now, () => this.#check());
  }

  #check(): void {
    const now = performance.now();
    if (now >= this.#endsAt) return this.#expire("whole answer", this.#timeouts.totalMs);
    const phaseEndsAt = this.#phaseEndsAt(now);
    if (this.#phase && now >= phaseEndsAt) return this.#expire(this.#phase, this.#phaseMs);
    this.#firesAt = Infinity;
    this.#fireBy(Math.min(phaseEndsAt, this.#endsAt), now);
  }

  #phaseEndsAt(now: number): number {
    if (!this.#phase) return Infinity;
    if (this.#phase !== "next chunk") return this.#phaseSince + this.#phaseMs;
    return (this.#isReading ? this.#readingSince : now) + this.#phaseMs;
  }

  #expire(what: string, timeoutMs: number): void {
    this.abort(
      new GatewayError(
        "upstream_timeout",
        `The upstream timed out: no ${what} within ${timeoutMs} ms`,
      ),
    );
  }
}

/** A part of a call with a time limit of its own. */
type Phase = "connection" | "first byte" | "next chunk" | "end";

/** A complete answer's end follows at once or not at all. */
const endMs = 1_000;
