import type { LimitKind } from "../../canonical/mod.ts";
import type { AllowanceLimit } from "../../store/money/mod.ts";
import type { LimitRequest } from "../limit_requests.ts";

/** The turn of a call in the queue of those that wait for an allowance. */
interface QueueTicket {
  /** Resolves when every earlier call has left the queue. */
  readonly first: Promise<void>;
  readonly come: () => void;
}

/** The slice of an allowance that this isolate may spend from memory. */
export class Lease {
  /** What the store says that this isolate holds. */
  held = 0n;
  /** Set aside for calls in flight. */
  reserved = 0n;
  /** Used by calls that are being settled. */
  spending = 0n;
  /** What nobody had leased when the store was last asked; undefined before. */
  unleased?: bigint;
  /** The size of the last slice, by which the next is taken in time. */
  slice = 0n;
  refilling = false;
  /** Until then nothing more is held than calls need. */
  scarceUntilMs = 0;
  /** Until then what was found used up is not looked for again, here or elsewhere. */
  usedUpUntilMs = 0;
  /** What there could be of it at most when it was found used up. */
  atMost = 0n;
  usedAtMs = 0;
  readonly endsAtMs: number | undefined;
  readonly debtId: string | undefined;
  readonly #queue = new Set<QueueTicket>();
  #changed = Promise.withResolvers<void>();

  constructor(
    readonly allowanceId: string,
    readonly kind: LimitKind,
    public limit: AllowanceLimit,
    { endsAtMs, debtId }: Pick<LimitRequest, "endsAtMs" | "debtId"> = {},
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

  /** Whether calls are queued; later ones join behind them. */
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

  /** Tells who waits that something was given back. */
  tell(): void {
    this.usedUpUntilMs = 0;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Resolves when something was given back here, or after a while, since it may be given back elsewhere. */
  async change(afterMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, afterMs);
    await Promise.race([this.#changed.promise, promise]);
    clearTimeout(timer);
  }

  #callFirst(): void {
    for (const { come } of this.#queue) return come();
  }
}

/** Whether a limit still says what it said when a lease was taken under it. */
export function isSameLimit(a: AllowanceLimit, b: AllowanceLimit): boolean {
  return a === b || (a.type === b.type && (a.type !== "amount" || b.type !== "amount" ||
    a.amount === b.amount));
}

/** What is left of an allowance as far as is known here. */
export function spareOf({ free, unleased = 0n }: Lease): bigint {
  return free + unleased > 0n ? free + unleased : 0n;
}
