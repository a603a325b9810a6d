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
  readonly #slots = new Map<number, Slot>();
  #wakesAtMs = Infinity;
  #runtimeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly now: () => number = () => performance.now()) {}

  /** Calls `action` once after `delayMs`, unless it is cancelled before. */
  start(delayMs: number, action: () => void): Timer {
    const stepMs = delayMs < longMs ? shortStepMs : longStepMs;
    const atMs = Math.ceil((this.now() + delayMs) / stepMs) * stepMs;
    const timer = new WheelTimer(action, this.#slotAt(atMs));
    if (atMs < this.#wakesAtMs) this.#wakeAt(atMs);
    return timer;
  }

  #slotAt(atMs: number): Slot {
    const known = this.#slots.get(atMs);
    if (known) return known;
    const slot: Slot = { timers: new Roster(), drop: () => this.#drop(atMs) };
    this.#slots.set(atMs, slot);
    return slot;
  }

  #drop(atMs: number): void {
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
    for (const [atMs, { timers }] of this.#slots) {
      if (atMs > nowMs) nextMs = Math.min(nextMs, atMs);
      else for (const timer of timers.members()) queueMicrotask(() => timer.fire()); // one that throws stops no other
    }
    this.#wakeAt(nextMs);
  }
}

/** The timers that fire at one time. */
interface Slot {
  readonly timers: Roster<WheelTimer>;
  /** Called once the last timer has ended. */
  readonly drop: () => void;
}

class WheelTimer implements Timer, RosterMember {
  position = -1;
  #action: (() => void) | undefined;
  readonly #slot: Slot;

  constructor(action: () => void, slot: Slot) {
    this.#action = action;
    this.#slot = slot;
    slot.timers.add(this);
  }

  cancel(): void {
    if (!this.#action) return;
    this.#action = undefined;
    const { timers, drop } = this.#slot;
    timers.delete(this);
    if (timers.size === 0) drop();
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
