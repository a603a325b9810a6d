import type { Part, ToolCallPart } from "../content.ts";
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
    if (open.length === 0 && !parts.some(isOfTool)) continue;
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

function isOfTool({ type }: Part): boolean {
  return type === "tool-call" || type === "tool-result";
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
