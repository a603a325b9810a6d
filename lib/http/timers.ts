import { Roster, type RosterMember } from "../roster.ts";

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
  readonly #slots = new Map<number, Roster<WheelTimer>>();
  #wakesAtMs = Infinity;
  #runtimeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly now: () => number = performance.now.bind(performance)) {}

  /** Calls `action` once after `delayMs`, unless it is cancelled before. */
  start(delayMs: number, action: () => void): Timer {
    const stepMs = delayMs < longMs ? shortStepMs : longStepMs;
    const atMs = Math.ceil((this.now() + delayMs) / stepMs) * stepMs;
    const timer = new WheelTimer(this, atMs, action);
    this.#slots.getOrInsertComputed(atMs, () => new Roster()).add(timer);
    if (atMs < this.#wakesAtMs) this.#wakeAt(atMs);
    return timer;
  }

  /** Drops a timer that has ended, and its slot with the last one. */
  drop(timer: WheelTimer): void {
    const slot = this.#slots.get(timer.atMs);
    slot?.delete(timer);
    if (!slot || slot.size > 0) return;
    this.#slots.delete(timer.atMs);
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
    for (const [atMs, slot] of this.#slots) {
      if (atMs > nowMs) nextMs = Math.min(nextMs, atMs);
      else for (const timer of slot.members()) queueMicrotask(() => timer.fire()); // one that throws stops no other
    }
    this.#wakeAt(nextMs);
  }
}

class WheelTimer implements Timer, RosterMember {
  position = -1;
  readonly atMs: number;
  readonly #wheel: TimerWheel;
  #action: (() => void) | undefined;

  constructor(wheel: TimerWheel, atMs: number, action: () => void) {
    this.#wheel = wheel;
    this.atMs = atMs;
    this.#action = action;
  }

  cancel(): void {
    if (!this.#action) return;
    this.#action = undefined;
    this.#wheel.drop(this);
  }

  fire(): void {
    const action = this.#action;
    this.cancel();
    action?.();
  }
}

const wheel = new TimerWheel();

/** Calls `action` once after `delayMs` and up to 100 ms more, unless it is cancelled before. */
export const startTimer: TimerWheel["start"] = wheel.start.bind(wheel);

/** Resolves like the promise, or to undefined after `ms`. Rejects if the promise does until then. */
export async function within<Value>(
  ms: number,
  promise: Promise<Value>,
): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = startTimer(ms, () => resolve(undefined));
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.cancel();
  }
}
