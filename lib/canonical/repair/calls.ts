import type { Part, ToolCallPart, ToolResultPart } from "../content.ts";
import type { Turn } from "../request.ts";

/** The calls of a turn, in order. */
export function callsOf(turn: Turn | undefined): readonly ToolCallPart[] {
  return turn?.parts.filter((part) => part.type === "tool-call") ?? [];
}

/**
 * Returns true if every call of a model's turn has an id of its own and its result at the same
 * position in the next turn, and no other results exist: the usual history, which needs no repair.
 */
export function isPaired(turns: readonly Turn[]): boolean {
  let ids: Set<string> | undefined;
  let open: readonly ToolCallPart[] = [];
  for (const { role, parts } of turns) {
    const hasTools = parts.some(({ type }) => type === "tool-call" || type === "tool-result");
    if (open.length === 0 && !hasTools) continue;
    if (!answersAll(parts, open) || (open.length > 0 && role !== "user")) return false;
    open = parts.filter((part) => part.type === "tool-call");
    if (open.length > 0 && role !== "assistant") return false;
    for (const { id } of open) {
      ids ??= new Set([""]);
      if (ids.has(id)) return false;
      ids.add(id);
    }
  }
  return open.length === 0;
}

/** Returns true if the results among the parts are those of the calls, in order and first. */
function answersAll(parts: readonly Part[], calls: readonly ToolCallPart[]): boolean {
  if (parts.length < calls.length) return false;
  return parts.every((part, at) => {
    if (part.type !== "tool-result") return at >= calls.length;
    return part.callId === calls[at]?.id && part.kind === calls[at].kind;
  });
}

/** Assigns ids so that no two calls share one: a pure function of the history. */
export class IdGiver {
  readonly #given = new Set<string>();
  readonly #known: ReadonlySet<string>;
  readonly #counts = new Map<string, number>();

  constructor(turns: readonly Turn[]) {
    this.#known = new Set(turns.flatMap(callsOf).map(({ id }) => id));
  }

  give(id: string): string {
    if (id !== "" && !this.#given.has(id)) {
      this.#given.add(id);
      return id;
    }
    const fresh = this.#fresh(id);
    this.#given.add(fresh);
    return fresh;
  }

  #fresh(id: string): string {
    for (let count = (this.#counts.get(id) ?? 1) + 1;; count++) {
      const fresh = id === "" ? `call_${count - 1}` : `${id}_${count}`;
      this.#counts.set(id, count);
      if (!this.#known.has(fresh) && !this.#given.has(fresh)) return fresh;
    }
  }
}

/** A turn of the model, and the end of the turns that may hold its results. */
export interface CallReach {
  readonly turnAt: number;
  readonly windowEnd: number;
}

/** A result at its position, until a call claims it. */
export interface ResultSlot {
  /** Its index among all results. */
  readonly order: number;
  readonly turnAt: number;
  readonly part: ToolResultPart;
  /** The turn with the last other content before this result; -1 if there is none. */
  readonly behind: number;
  claimed: boolean;
}

/** Unclaimed results, last first: by the id of their call, or by its name if they have none. */
export interface UnclaimedResults {
  readonly byId: ReadonlyMap<string, ResultSlot[]>;
  readonly byName: ReadonlyMap<string, ResultSlot[]>;
}

export function slotsOf(turns: readonly Turn[]): readonly ResultSlot[] {
  const slots: ResultSlot[] = [];
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
export function claimResult(
  call: ToolCallPart,
  reach: CallReach,
  { byId, byName }: UnclaimedResults,
): ResultSlot | undefined {
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
export function waitingOf(turns: readonly Turn[], slots: readonly ResultSlot[]): UnclaimedResults {
  const lastFirst = slots.filter(({ turnAt }) => turns[turnAt].role === "user").toReversed();
  const nameless = lastFirst.filter(({ part }) => part.callId === "");
  return {
    byId: Map.groupBy(lastFirst, ({ part }) => part.callId),
    byName: Map.groupBy(nameless, ({ part }) => part.name ?? ""),
  };
}
