import {
  type CanonicalEvent,
  parsedSimple,
  type Part,
  type PartPatch,
} from "../../../canonical/mod.ts";

/** A part of a streamed answer that waits for its turn or is being written. */
export interface QueuedPart {
  /** The part as it opens; undefined until enough of it is known (a call without its name). */
  opening?: Part;
  /** The part as it opens where no more of it comes. */
  readonly unsaid?: Part;
  /** Text that was not written yet. */
  pending: string;
  /** All text so far, for a call, whose end nobody announces. */
  text: string;
  /** Length of `text` when it was last seen to be no whole JSON, so that it is not looked at twice. */
  checkedLength: number;
  /** Its number among all parts once it is open. */
  index?: number;
  /** What is only known at the end; asked for when the part closes. */
  readonly patch: () => PartPatch | undefined;
}

/** The parts of one alternative in order; only the first is open, as events allow one at a time. */
export interface PartQueue {
  readonly alternative: number;
  readonly parts: QueuedPart[];
}

/** Hands out the numbers of parts over all alternatives. */
export interface PartCounter {
  next: number;
}

/**
 * Writes what may be written: the text of the first part, and the parts after it once it is over.
 * A part is over when another has begun; a call only when its arguments are whole, as upstreams
 * interleave the fragments of several calls. `final`: nothing follows any more.
 */
export function advance(queue: PartQueue, counter: PartCounter, final: boolean): CanonicalEvent[] {
  const events: CanonicalEvent[] = [];
  for (;;) {
    const [head] = queue.parts;
    if (head && (final || queue.parts.length > 1)) head.opening ??= head.unsaid;
    if (!head?.opening) return events;
    open(head, queue.alternative, counter, events);
    if (!final && !(queue.parts.length > 1 && isOver(head))) return events;
    close(head, events);
    queue.parts.shift();
  }
}

function open(
  head: QueuedPart,
  alternative: number,
  counter: PartCounter,
  events: CanonicalEvent[],
): void {
  if (head.opening && head.index === undefined) {
    head.index = counter.next++;
    events.push({
      type: "part-start",
      index: head.index,
      ...(alternative > 0 && { alternative }),
      part: head.opening,
    });
  }
  if (head.pending === "" || head.index === undefined) return;
  events.push({ type: "part-delta", index: head.index, text: head.pending });
  head.pending = "";
}

/** A function call without arguments has empty ones. */
function close(head: QueuedPart, events: CanonicalEvent[]): void {
  if (head.index === undefined) return;
  const { opening } = head;
  if (opening?.type === "tool-call" && opening.kind === "function" && head.text === "") {
    events.push({ type: "part-delta", index: head.index, text: "{}" });
  }
  const patch = head.patch();
  events.push({ type: "part-end", index: head.index, ...(patch && { patch }) });
}

function isOver(head: QueuedPart): boolean {
  if (head.opening?.type !== "tool-call") return true;
  if (head.text.length === head.checkedLength) return false;
  head.checkedLength = head.text.length;
  return isWholeJson(head.text);
}

function isWholeJson(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    parsedSimple(text);
    return true;
  } catch {
    return false;
  }
}
