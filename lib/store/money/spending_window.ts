/** The total that an allowance had spent by a moment, in epoch milliseconds. */
interface SpendingMark {
  readonly atMs: number;
  readonly spent: bigint;
}

/** The spending of a rolling budget over time. */
export interface SpendingWindow {
  /** The spending that has left the window. */
  readonly left: bigint;
  /** Oldest first; of three in a row, the outer two are a fiftieth of the window apart. */
  readonly marks: readonly SpendingMark[];
}

/** A moment of a rolling budget: its length, the time, and the total spent until then. */
export interface WindowMoment {
  readonly windowMs: number;
  /** Read after `spent`, so that no mark is earlier than what it counts. */
  readonly nowMs: number;
  readonly spent: bigint;
}

const marksPerWindow = 50;
const unspent: SpendingWindow = { left: 0n, marks: [] };

/** The most by which spending leaves the window late. */
export function markEveryMs(windowMs: number): number {
  return windowMs / marksPerWindow;
}

/** The window at a moment, without what has left it. */
export function windowAt(
  window: SpendingWindow = unspent,
  { windowMs, nowMs }: Omit<WindowMoment, "spent">,
): SpendingWindow {
  const gone = window.marks.findLastIndex(({ atMs }) => atMs <= nowMs - windowMs);
  if (gone < 0) return window;
  return { left: window.marks[gone].spent, marks: window.marks.slice(gone + 1) };
}

/** The window at a moment with a mark of what is spent; the same one if nothing changes. */
export function markedWindow(
  window: SpendingWindow | undefined,
  { windowMs, nowMs, spent }: WindowMoment,
): SpendingWindow | undefined {
  const current = windowAt(window, { windowMs, nowMs });
  const { left, marks } = current;
  const last = marks.at(-1) ?? { atMs: -Infinity, spent: left };
  if (spent <= last.spent || nowMs < last.atMs) return window && current;
  const sinceMs = marks.at(-2)?.atMs ?? -Infinity;
  const kept = nowMs - sinceMs < markEveryMs(windowMs) ? marks.slice(0, -1) : marks;
  return { left, marks: [...kept, { atMs: nowMs, spent }] };
}

/**
 * The time at which enough has left the window for an amount, if nothing else is spent; undefined if
 * the whole budget is smaller.
 */
export function roomAtMs(
  { left, marks }: SpendingWindow,
  { amount, needed, windowMs, nowMs, spent }: WindowMoment & {
    readonly amount: bigint;
    readonly needed: bigint;
  },
): number | undefined {
  if (needed > amount) return undefined;
  const excess = spent + needed - amount;
  if (excess <= left) return nowMs;
  const at = marks.findIndex((mark) => mark.spent >= excess);
  const isFinal = at >= 0 && at < marks.length - 1; // the last one may still move
  const spentAtMs = at < 0 ? nowMs : marks[at].atMs;
  return Math.ceil(spentAtMs + windowMs + (isFinal ? 0 : markEveryMs(windowMs)));
}
