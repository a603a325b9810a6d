import { callerLeft, type LimitKind } from "../../canonical/mod.ts";
import {
  type AllowanceLimit,
  type LeaseResult,
  markEveryMs,
  windowMsOf,
} from "../../store/money/mod.ts";
import type { CurrentLimit } from "../current_limits.ts";

/** A call's place in the queue for an allowance. */
interface QueueTicket {
  /** Resolves when every earlier call has left the queue. */
  readonly first: Promise<void>;
  readonly come: () => void;
}

/** Bounds the calls that one slice is meant for. */
const [callsPerSliceMin, callsPerSliceMax] = [64n, 65_536n];
const sliceGrowth = 4n;
/** A slice that was used up sooner is followed by a larger one; after a longer time, by the smallest. */
const [sliceMsMin, sliceMsMax] = [1_000, 10_000];

/** The slice of an allowance that this isolate may spend from memory. */
export class Lease {
  /** The amount that this isolate holds according to the store. */
  held = 0n;
  /** Reserved for calls in flight. */
  reserved = 0n;
  /** Used by the calls of the commit in progress; only one is. */
  spending = 0n;
  /** The amount that no isolate had leased at the last store access; undefined before the first. */
  unleased?: bigint;
  /** The size of the last slice; a quarter of it left triggers the next lease. */
  slice = 0n;
  /** The calls that a slice is meant for; grows until a slice lasts for about a second. */
  callsPerSlice = callsPerSliceMin;
  #slicedAtMs = 0;
  refilling = false;
  /** Until this time, the isolate leases only the amount that its calls need. */
  scarceUntilMs = 0;
  /** Until then calls are refused without asking the store again. */
  usedUpUntilMs = 0;
  /** The most that could become available when the allowance was found used up. */
  atMost = 0n;
  usedAtMs = 0;
  /** The time at which a rolling budget has room for an amount, by the last refused lease. */
  roomAtMs?: Extract<LeaseResult, { type: "insufficient" }>["roomAtMs"];
  /** The first settlement of a rolling budget since its spending was marked in the store. */
  unmarkedSinceMs?: number;
  readonly endsAtMs: number | undefined;
  readonly debtId: string | undefined;
  readonly #queue = new Set<QueueTicket>();
  /** Present while calls wait for a change. */
  #changed?: PromiseWithResolvers<void>;

  constructor(
    readonly allowanceId: string,
    readonly kind: LimitKind,
    public limit: AllowanceLimit,
    { endsAtMs, debtId }: Pick<CurrentLimit, "endsAtMs" | "debtId"> = {},
  ) {
    this.endsAtMs = endsAtMs;
    this.debtId = debtId;
  }

  get free(): bigint {
    return this.held - this.reserved - this.spending;
  }

  get idle(): boolean {
    return this.reserved === 0n && this.spending === 0n && !this.refilling &&
      this.#queue.size === 0;
  }

  /** True if calls are queued; later ones join behind them. */
  get crowded(): boolean {
    return this.#queue.size > 0;
  }

  /** Joins the end of the queue. */
  enter(): QueueTicket {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ticket = { first: promise, come: resolve };
    this.#queue.add(ticket);
    this.#callFirst();
    return ticket;
  }

  /** Leaves the queue, from any position. */
  leave(ticket: QueueTicket): void {
    this.#queue.delete(ticket);
    this.#callFirst();
  }

  /** Adds a slice, and sizes the next one by how long the previous one lasted. */
  addSlice(amount: bigint, nowMs: number): void {
    const lastedMs = nowMs - this.#slicedAtMs;
    this.#slicedAtMs = nowMs;
    if (lastedMs < sliceMsMin) {
      this.callsPerSlice *= sliceGrowth;
      if (this.callsPerSlice > callsPerSliceMax) this.callsPerSlice = callsPerSliceMax;
    } else if (lastedMs > sliceMsMax) this.callsPerSlice = callsPerSliceMin;
    this.slice = amount;
    this.held += amount;
  }

  /** Notes that a commit has spent from this lease. */
  noteSpent(nowMs: number): void {
    if (windowMsOf(this.limit) !== undefined) this.unmarkedSinceMs ??= nowMs;
  }

  /** True if spending would leave a rolling window late without a mark until `byMs`. */
  isMarkDue(byMs: number): boolean {
    const windowMs = windowMsOf(this.limit);
    if (windowMs === undefined || this.unmarkedSinceMs === undefined) return false;
    return byMs - this.unmarkedSinceMs >= markEveryMs(windowMs);
  }

  /** Wakes waiting calls after something was given back. */
  tell(): void {
    this.usedUpUntilMs = 0;
    this.#changed?.resolve();
    this.#changed = undefined;
  }

  /** Resolves when something is given back here, or after `afterMs`, to check other isolates. */
  async change(afterMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, afterMs);
    this.#changed ??= Promise.withResolvers();
    await Promise.race([this.#changed.promise, promise]);
    clearTimeout(timer);
  }

  #callFirst(): void {
    for (const { come } of this.#queue) return come();
  }
}

/** Returns true if two limits are equal. */
export function isSameLimit(a: AllowanceLimit, b: AllowanceLimit): boolean {
  return a === b || (a.type === b.type && (a.type !== "amount" || b.type !== "amount" ||
    a.amount === b.amount));
}

/** The rest of an allowance, as far as this isolate knows. */
export function spareOf({ free, unleased = 0n }: Lease): bigint {
  const spare = free + unleased;
  return spare > 0n ? spare : 0n;
}

/** Awaits a promise; throws `client_closed` if the caller disconnects first. */
export async function unlessLeft(waited: Promise<void>, caller?: AbortSignal): Promise<void> {
  if (!caller) return await waited;
  if (caller.aborted) throw callerLeft();
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () => reject(callerLeft());
  caller.addEventListener("abort", leave);
  try {
    await Promise.race([waited, promise]);
  } finally {
    caller.removeEventListener("abort", leave);
  }
}
