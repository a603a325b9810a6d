import {
  digest,
  type JsonObject,
  ownIdMark,
  safeToolCallId,
  type ToolCallIdRule,
} from "../../canonical/mod.ts";
import { textOf } from "../wire_value.ts";

/**
 * Prefix of ids that this gateway made for calls without one: they are recognised, and never sent
 * to this vendor.
 */
const madeHere = `call${ownIdMark}`;

export function isMadeHere(id: string): boolean {
  return id.startsWith(madeHere);
}

/** Creates an id for a call without one: the same for every reading of the same answer or history. */
export function madeCallId(...seeds: readonly (string | number)[]): string {
  return madeHere + digest(JSON.stringify(seeds)).slice(0, 24);
}

/** The vendor accepts any string; the limit only keeps a hostile one short. */
const callIdRule: ToolCallIdRule = { pattern: /^[\x20-\x7e]+$/, charsMax: 128, prefix: "call_" };

export function safeCallId(id: string): string {
  return safeToolCallId(id, callIdRule);
}

/** Tool names that the vendor accepts. */
export const toolNamePattern = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;

interface OpenCall {
  readonly id: string;
  readonly name: string;
  answered: boolean;
}

/** Calls in order; the first one without a result is next. */
class OpenCalls {
  readonly #calls: OpenCall[] = [];
  #at = 0;

  push(call: OpenCall): void {
    this.#calls.push(call);
  }

  get next(): OpenCall | undefined {
    while (this.#calls[this.#at]?.answered) this.#at++;
    return this.#calls[this.#at];
  }
}

/** The open calls of one step, indexed by id and name, because a history may hold very many. */
class Step {
  readonly #all = new OpenCalls();
  readonly #byId = new Map<string, OpenCalls>();
  readonly #byName = new Map<string, OpenCalls>();
  /** The calls whose id this gateway made. */
  readonly #withoutId = new Map<string, OpenCalls>();

  push(call: OpenCall): void {
    this.#all.push(call);
    callsUnder(call.id, this.#byId).push(call);
    callsUnder(call.name, this.#byName).push(call);
    if (isMadeHere(call.id)) callsUnder(call.name, this.#withoutId).push(call);
  }

  /** The call that a result answers; without id and name, the next one in order. */
  next(id: string, name: string): OpenCall | undefined {
    if (id !== "") return this.#byId.get(id)?.next ?? this.#withoutId.get(name)?.next;
    return this.#byName.get(name)?.next ?? (name === "" ? this.#all.next : undefined);
  }
}

function callsUnder(key: string, calls: Map<string, OpenCalls>): OpenCalls {
  const known = calls.get(key) ?? new OpenCalls();
  calls.set(key, known);
  return known;
}

/**
 * Pairs the calls and results of a request's history. Ids are optional in this format (older models
 * give none, older clients return none): calls without one are paired by name and order.
 */
export class CallIds {
  #step = new Step();
  #calls = 0;

  /** Begins a new step of the model: results no longer match earlier calls. */
  beginStep(): void {
    this.#step = new Step();
  }

  ofCall(call: JsonObject): string {
    const name = textOf(call.name);
    const id = textOf(call.id) || madeCallId("history", this.#calls, name);
    this.#calls++;
    this.#step.push({ id, name, answered: false });
    return id;
  }

  ofResult(result: JsonObject): string {
    const id = textOf(result.id);
    const name = textOf(result.name);
    const call = this.#step.next(id, name);
    if (!call) return id || madeCallId("orphan", this.#calls, name);
    call.answered = true;
    return call.id;
  }
}
