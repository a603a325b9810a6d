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
}

/**
 * Pairs the calls and results of a request's history. Ids are optional in this format (older
 * models give none, older clients return none): what lacks one is paired by name and order.
 */
export class CallIds {
  #open: OpenCall[] = [];
  #calls = 0;

  /** A new step of the model: the calls of earlier ones are past. */
  beginStep(): void {
    this.#open = [];
  }

  ofCall(call: JsonObject): string {
    const name = textOf(call.name);
    const id = textOf(call.id) || madeCallId("history", this.#calls, name);
    this.#calls++;
    this.#open.push({ id, name });
    return id;
  }

  ofResult(result: JsonObject): string {
    const id = textOf(result.id);
    const name = textOf(result.name);
    const at = this.#indexOf(id, name);
    if (at < 0) return id || madeCallId("orphan", this.#calls, name);
    return this.#open.splice(at, 1)[0].id;
  }

  #indexOf(id: string, name: string): number {
    if (id !== "") {
      const exact = this.#open.findIndex((call) => call.id === id);
      if (exact >= 0) return exact;
    }
    const byName = this.#open.findIndex((call) =>
      call.name === name && (id === "" || isMadeHere(call.id))
    );
    const says = id !== "" || name !== "" || this.#open.length === 0;
    return byName >= 0 || says ? byName : 0; // neither id nor name: the next one in order
  }
}
