import type { ToolCallPart } from "../content.ts";
import type { Turn } from "../request.ts";

/** The calls of a turn, in order. */
export function callsOf(turn: Turn | undefined): readonly ToolCallPart[] {
  return turn?.parts.filter((part) => part.type === "tool-call") ?? [];
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
