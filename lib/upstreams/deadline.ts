import { GatewayError } from "../canonical/mod.ts";
import { startTimer, type Timer } from "../http/timers.ts";
import type { UpstreamTimeouts as Timeouts } from "../store/mod.ts";

/**
 * Ends a call to an upstream on a timeout or if the caller disconnects; `signal` aborts with the
 * matching `GatewayError`. Reading only records a time, so chunks need no timers. Idle time counts
 * only during reads, because a slow caller is not the upstream's fault.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timeouts: Timeouts;
  readonly #caller: AbortSignal;
  readonly #onClose: (closed: Deadline) => void;
  readonly #onCallerGone = () => this.abort(callerGone());
  readonly #total: Timer;
  #phase: Timer | undefined;
  #isReading = false;
  #readingSince = 0;

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
    this.#total = startTimer(
      timeouts.totalMs,
      () => this.#expire("whole answer", timeouts.totalMs),
    );
    if (caller.aborted) this.#onCallerGone();
    else caller.addEventListener("abort", this.#onCallerGone);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  awaitConnection(): void {
    this.#enter("connection", this.#timeouts.connectMs);
  }

  /** Waits for a byte of the body: headers may arrive long before it. */
  awaitFirstByte(): void {
    this.#enter("first byte", this.#timeouts.firstByteMs);
  }

  /** From now on only silence of `idleMs` ends the call. */
  awaitChunks(): void {
    this.startReading();
    this.#watchIdle(this.#timeouts.idleMs);
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

  /** Stops all timers after the end of the call. */
  close(): void {
    this.#total.cancel();
    this.#phase?.cancel();
    this.#caller.removeEventListener("abort", this.#onCallerGone);
    this.#onClose(this);
  }

  #enter(what: string, timeoutMs: number): void {
    this.#phase?.cancel();
    this.#phase = startTimer(timeoutMs, () => this.#expire(what, timeoutMs));
  }

  #watchIdle(waitMs: number): void {
    this.#phase?.cancel();
    this.#phase = startTimer(waitMs, () => {
      const silentMs = this.#isReading ? performance.now() - this.#readingSince : 0;
      const leftMs = this.#timeouts.idleMs - silentMs;
      if (leftMs <= 0) this.#expire("next chunk", this.#timeouts.idleMs);
      else this.#watchIdle(leftMs);
    });
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

function callerGone(): GatewayError {
  return new GatewayError("client_closed", "The client disconnected");
}
