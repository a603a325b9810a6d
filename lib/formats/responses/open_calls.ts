import type { JsonObject } from "../../canonical/mod.ts";
import { textOf } from "../wire_value.ts";

/**
 * The calls of a conversation without an output so far. An output may omit the id of its call and
 * name only the tool (openai 7.7, 2026-08): it answers the newest open call of that tool, and never
 * one that another output names by its id.
 */
export class OpenCalls {
  readonly #answeredById: ReadonlySet<string>;
  /** By the tool's name, with and without its namespace; the newest is last. */
  readonly #open = new Map<string, JsonObject[]>();
  readonly #taken = new Set<JsonObject>();

  constructor(items: readonly JsonObject[]) {
    this.#answeredById = new Set(
      items.filter(isOutput).map((item) => textOf(item.call_id)).filter((id) => id !== ""),
    );
  }

  /** Adds a call, or removes one that an output answers by its id. */
  see(item: JsonObject): void {
    const isCall = item.type === "function_call" || item.type === "custom_tool_call";
    if (!isCall || this.#answeredById.has(textOf(item.call_id))) return;
    for (const key of new Set([keyOf(item), textOf(item.name)])) {
      const calls = this.#open.get(key);
      if (calls) calls.push(item);
      else this.#open.set(key, [item]);
    }
  }

  /** The id of the call that an output without one answers; empty if there is none. */
  take(output: JsonObject): string {
    const calls = this.#open.get(keyOf(output)) ?? [];
    let call = calls.pop();
    while (call && this.#taken.has(call)) call = calls.pop();
    if (call) this.#taken.add(call);
    return textOf(call?.call_id);
  }
}

function keyOf({ name, namespace }: JsonObject): string {
  const group = textOf(namespace);
  return group === "" ? textOf(name) : JSON.stringify([group, name]);
}

function isOutput({ type }: JsonObject): boolean {
  return type === "function_call_output" || type === "custom_tool_call_output";
}
