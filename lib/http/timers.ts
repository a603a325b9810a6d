/** A timer that has been started. */
export interface Timer {
  /** Stops the timer; no effect once it has fired. */
  cancel(): void;
}

/** Timers fire up to a step late, never early: a short wait is exact, a long one need not be. */
const shortStepMs = 10;
const longStepMs = 100;
const longMs = 1_000;

/**
 * Many timers behind one of the runtime's, which costs more than the rest of a short wait. Timers
 * that fire in the same step share a slot; an empty wheel keeps no timer of the runtime.
 */
export class TimerWheel {
  /** The timers by the time at which they fire. */
  readonly #slots = new Map<number, Set<WheelTimer>>();
  #wakesAtMs = Infinity;
  #runtimeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly now: () => number = () => performance.now()) {}

  /** Calls `action` once after `delayMs`, unless it is cancelled before. */
  start(delayMs: number, action: () => void): Timer {
    const stepMs = delayMs < longMs ? shortStepMs : longStepMs;
    const atMs = Math.ceil((this.now() + delayMs) / stepMs) * stepMs;
    const timer = new WheelTimer(action, (ended) => this.#drop(atMs, ended));
    const slot = this.#slots.get(atMs);
    if (slot) slot.add(timer);
    else this.#slots.set(atMs, new Set([timer]));
    if (atMs < this.#wakesAtMs) this.#wakeAt(atMs);
    return timer;
  }

  #drop(atMs: number, timer: WheelTimer): void {
    const slot = this.#slots.get(atMs);
    if (!slot?.delete(timer) || slot.size > 0) return;
    this.#slots.delete(atMs);
    if (this.#slots.size === 0) this.#wakeAt(Infinity);
  }

  #wakeAt(atMs: number): void {
    clearTimeout(this.#runtimeTimer);
    this.#wakesAtMs = atMs;
    if (atMs === Infinity) return;
    this.#runtimeTimer = setTimeout(() => this.#fire(), Math.max(0, atMs - this.now()));
  }

  #fire(): void {
    const nowMs = this.now();
    let nextMs = Infinity;
    for (const [atMs, timers] of this.#slots) {
      if (atMs > nowMs) nextMs = Math.min(nextMs, atMs);
      else for (const timer of timers) queueMicrotask(() => timer.fire()); // one that throws stops no other
    }
    this.#wakeAt(nextMs);
  }
}

class WheelTimer implements Timer {
  #action: (() => void) | undefined;
  readonly #drop: (timer: WheelTimer) => void;

  constructor(action: () => void, drop: (timer: WheelTimer) => void) {
    this.#action = action;
    this.#drop = drop;
  }

  cancel(): void {
    if (!this.#action) return;
    this.#action = undefined;
    this.#drop(this);
  }

  fire(): void {
    const action = this.#action;
    this.cancel();
    action?.();
  }
}

const wheel = new TimerWheel();

/** Calls `action` once after `delayMs` and up to 100 ms more, unless it is cancelled before. */
export function startTimer(delayMs: number, action: () => void): Timer {
  return wheel.start(delayMs, action);
}
