import {
  type CanonicalEvent,
  keepLogprobs,
  type Part,
  type PartPatch,
  type TokenLogprob,
} from "../../../canonical/mod.ts";
import { parsedSimple } from "../../../json/mod.ts";

/** A part of a streamed answer that is queued or being written. */
export interface QueuedPart {
  /** The part at its start; undefined until enough of it is known (a call without its name). */
  opening?: Part;
  /** The start of the part, used if no text follows. */
  readonly unsaid?: Part;
  /** Text not written yet. */
  pending: string;
  /** Tokens not written yet. */
  readonly tokens?: TokenLogprob[];
  /** All text so far, needed for a call, because no event announces its end. */
  text: string;
  /** Length of `text` when it was last checked and was incomplete JSON, to avoid checking it twice. */
  checkedLength: number;
  /** Its index among all parts once it is open. */
  index?: number;
  /** Returns the data that is known only at the end; called when the part closes. */
  readonly patch: () => PartPatch | undefined;
}

/** The parts of one alternative in order. Only the first is open: canonical events allow one at a time. */
export interface PartQueue {
  readonly alternative: number;
  readonly parts: QueuedPart[];
}

/** Assigns the indices of parts over all alternatives. */
export interface PartCounter {
  next: number;
}

/**
 * Writes as much as possible: the text of the first part, and the next parts once it is complete. A
 * part is complete when another one starts; a call only when its arguments are, because upstreams
 * interleave the fragments of several calls. `final`: nothing follows.
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
  const { index, pending: text } = head;
  const tokens = head.tokens?.splice(0);
  if (index === undefined || (text === "" && !tokens?.length)) return;
  events.push({ type: "part-delta", index, text, ...keepLogprobs(tokens) });
  head.pending = "";
}

/** Writes `{}` for a function call without arguments. */
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
