import {
  digest,
  type JsonObject,
  ownIdMark,
  safeToolCallId,
  type ToolCallIdRule,
} from "../../canonical/mod.ts";
import { textOf } from "../wire_value.ts";

/** Begins the ids of calls to which the wire gave none: they are recognised, and never sent to this vendor. */
const madeHere = `call${ownIdMark}`;

export function isMadeHere(id: string): boolean {
  return id.startsWith(madeHere);
}

/** An id for a call that has none: the same each time that the same answer or history is read. */
export function madeCallId(...seeds: readonly (string | number)[]): string {
  return madeHere + digest(JSON.stringify(seeds)).slice(0, 24);
}

/** The vendor takes any string; the bound only keeps a hostile one short. */
const callIdRule: ToolCallIdRule = { pattern: /^[\x20-\x7e]+$/, charsMax: 128, prefix: "call_" };

export function safeCallId(id: string): string {
  return safeToolCallId(id, callIdRule);
}

/** What the vendor takes as the name of a tool. */
export const toolNamePattern = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;

interface OpenCall {
  readonly id: string;
  readonly name: string;
  answered: boolean;
}

/** Calls in order, of which the first without an answer is next. */
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

/** The open calls of one step, found by whatever a result says; a history may hold very many. */
class Step {
  readonly #all = new OpenCalls();
  readonly #byId = new Map<string, OpenCalls>();
  readonly #byName = new Map<string, OpenCalls>();
  /** Those whose id the wire did not give. */
  readonly #withoutId = new Map<string, OpenCalls>();

  push(call: OpenCall): void {
    this.#all.push(call);
    callsUnder(call.id, this.#byId).push(call);
    callsUnder(call.name, this.#byName).push(call);
    if (isMadeHere(call.id)) callsUnder(call.name, this.#withoutId).push(call);
  }

  /** The call that a result answers; with neither id nor name it is the next one in order. */
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
 * Pairs the calls and results of a request's history. Ids are optional in this format (older
 * models give none, older clients return none): what lacks one is paired by name and order.
 */
export class CallIds {
  #step = new Step();
  #calls = 0;

  /** A new step of the model: the calls of earlier ones are past. */
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
