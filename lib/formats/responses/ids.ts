import {
  digest,
  type JsonObject,
  ownIdMark,
  safeToolCallId,
  type ToolCallIdRule,
} from "../../canonical/mod.ts";
import { textOf } from "../wire_value.ts";

/** Ids of items that no vendor knows: recognised when a caller replays them, and left out. */
const madeHere = new RegExp(`^[a-z]+${ownIdMark}`);

export function isMadeHere(id: string): boolean {
  return madeHere.test(id);
}

/** The response of an item that this gateway made; undefined for a vendor's id. */
export function answerOfMadeItem(id: string): string | undefined {
  const suffix = new RegExp(`^[a-z]+${ownIdMark}([0-9A-Z]+)_\\d+$`).exec(id)?.[1];
  return suffix && `resp_${suffix}`;
}

/** New ids of one answer, derived from its request id and a counter. */
export class Ids {
  readonly #suffix: string;
  #count = 0;

  constructor(requestId: string) {
    this.#suffix = requestId.replace(/^req_/, "");
  }

  response(): string {
    return `resp_${this.#suffix}`;
  }

  item(prefix: string): string {
    return `${prefix}${ownIdMark}${this.#suffix}_${this.#count++}`;
  }

  call(): string {
    return `call_${this.#suffix}_${this.#count++}`;
  }
}

/** The id of a replayed reasoning item that lost its own. */
export function reasoningIdOf(data: string): string {
  return `rs_${digest(data).slice(0, 48)}`;
}

/** The vendor refuses longer ids, although its own backends have made some (69 and 116 characters seen). */
const callIdRule: ToolCallIdRule = { pattern: /^[\x21-\x7e]+$/, charsMax: 64, prefix: "call_" };

export function safeCallId(id: string): string {
  return safeToolCallId(id, callIdRule);
}

/** Tool names that the vendor accepts. */
export const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

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
