import type { ToolCallPart, ToolResultPart } from "../content.ts";
import type { Turn } from "../request.ts";

/** A turn of the model, and the end of the turns that may hold its results. */
export interface Reach {
  readonly turnAt: number;
  readonly windowEnd: number;
}

/** A result at its position, until a call claims it. */
export interface Slot {
  /** Its index among all results. */
  readonly order: number;
  readonly turnAt: number;
  readonly part: ToolResultPart;
  /** The turn with the last other content before this result; -1 if there is none. */
  readonly behind: number;
  claimed: boolean;
}

/** Unclaimed results, last first: by the id of their call, or by its name if they have none. */
export interface Waiting {
  readonly byId: ReadonlyMap<string, Slot[]>;
  readonly byName: ReadonlyMap<string, Slot[]>;
}

export function slotsOf(turns: readonly Turn[]): readonly Slot[] {
  const slots: Slot[] = [];
  let behind = -1;
  for (const [turnAt, { parts }] of turns.entries()) {
    for (const part of parts) {
      if (part.type === "tool-result") {
        slots.push({ order: slots.length, turnAt, part, behind, claimed: false });
      } else if (part.type !== "native") behind = turnAt;
    }
  }
  return slots;
}

/** Finds the first unclaimed result of a call; a call without an id matches by name. */
export function claim(
  call: ToolCallPart,
  reach: Reach,
  { byId, byName }: Waiting,
): Slot | undefined {
  const queues = call.id === "" ? [byName.get(call.name), byName.get("")] : [byId.get(call.id)];
  const found = queues.flatMap((queue = []) => {
    while ((queue.at(-1)?.turnAt ?? Infinity) <= reach.turnAt) queue.pop();
    const slot = queue.at(-1);
    return slot && slot.turnAt < reach.windowEnd ? [{ queue, slot }] : [];
  });
  const [first] = found.toSorted((one, other) => one.slot.order - other.slot.order);
  if (!first) return undefined;
  first.queue.pop();
  first.slot.claimed = true;
  return first.slot;
}

/** Only user turns can hold results. */
export function waitingOf(turns: readonly Turn[], slots: readonly Slot[]): Waiting {
  const lastFirst = slots.filter(({ turnAt }) => turns[turnAt].role === "user").toReversed();
  const nameless = lastFirst.filter(({ part }) => part.callId === "");
  return {
    byId: Map.groupBy(lastFirst, ({ part }) => part.callId),
    byName: Map.groupBy(nameless, ({ part }) => part.name ?? ""),
  };
}
