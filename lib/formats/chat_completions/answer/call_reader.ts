import {
  type Continuation,
  type JsonObject,
  type JsonValue,
  type PartPatch,
} from "../../../canonical/mod.ts";
import { isEmpty, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import {
  decodeSignature,
  isSilentCall,
  jsonText,
  madeCallId,
  type WireCall,
  wireCallOf,
} from "../calls.ts";
import { extraMembers, keep } from "../native.ts";
import type { QueuedPart } from "./part_queue.ts";

interface Call {
  readonly part: QueuedPart;
  id: string;
  /** The wire's discriminator: only the first fragment states it. */
  type: string;
  /** True once the call has a name or arguments. */
  isBegun: boolean;
  continuation?: Continuation;
  native: JsonObject;
}

const fragmentMembers = new Set(["index", "id", "type", "function", "custom", "extra_content"]);

/**
 * Reads the fragments of one choice's calls. Identifies a call by `index`; if an upstream omits it,
 * by id; and if it gives every call the same index (the compatibility endpoint of Gemini,
 * 2026-11-21), by a new id that comes with a name.
 */
export class CallReader {
  readonly #answer: string;
  readonly #alternative: number;
  readonly #add: (part: QueuedPart) => void;
  readonly #byKey = new Map<JsonValue, Call>();
  #last?: Call;
  #count = 0;

  /** `add` appends the part of each new call to the queue. */
  constructor(answer: string, alternative: number, add: (part: QueuedPart) => void) {
    this.#answer = answer;
    this.#alternative = alternative;
    this.#add = add;
  }

  push(delta: JsonObject): void {
    if (Array.isArray(delta.tool_calls)) {
      for (const fragment of objectsOf(delta.tool_calls)) this.#fragment(fragment);
    }
    const { function_call } = delta;
    const { name, arguments: text } = objectOf(function_call);
    if (!isSilentCall({ name, input: text })) {
      this.#fragment({ index: "function_call", function: function_call }, "function_call");
    }
  }

  #fragment(wire: JsonObject, marked?: string): void {
    const call = this.#callOf(wire);
    if (marked !== undefined) call.native = { type: marked };
    call.type ||= textOf(wire.type);
    const said = wireCallOf(wire, call.type);
    this.#learn(call, wire, said);
    grow(call.part, said?.input);
    this.#begin(call);
  }

  /** A call without a name or arguments may never come: its id is kept until more of it arrives. */
  #begin(call: Call): void {
    const { opening, text } = call.part;
    if (call.isBegun || (!opening && text === "")) return;
    call.isBegun = true;
    this.#add(call.part);
  }

  #callOf(wire: JsonObject): Call {
    const { index, id } = wire;
    const name = textOf(wireCallOf(wire)?.name);
    const known = this.#known(index ?? undefined, textOf(id), name);
    const call = known ?? this.#open();
    if (index !== undefined && index !== null) this.#byKey.set(index, call);
    else if (textOf(id) !== "") this.#byKey.set(textOf(id), call);
    return this.#last = call;
  }

  #known(index: JsonValue | undefined, id: string, name: string): Call | undefined {
    if (index !== undefined) {
      const call = this.#byKey.get(index);
      const isAnother = call && id !== "" && call.id !== "" && call.id !== id && name !== "";
      return isAnother ? undefined : call;
    }
    if (id !== "") return this.#byKey.get(id);
    return name === "" ? this.#last : undefined;
  }

  #open(): Call {
    const part: QueuedPart = {
      pending: "",
      text: "",
      checkedLength: 0,
      patch: () => patchOf(call),
    };
    const call: Call = { part, id: "", type: "", isBegun: false, native: {} };
    return call;
  }

  /** Reads the members that come once: the id, the name, the continuation. */
  #learn(call: Call, wire: JsonObject, said: WireCall | undefined): void {
    call.id ||= textOf(wire.id);
    if (wire.extra_content) Object.assign(call, decodeSignature(wire));
    const rest = extraMembers(wire, fragmentMembers);
    if (!isEmpty(rest)) call.native = { ...call.native, ...rest };
    const name = textOf(said?.name);
    if (!said || name === "" || call.part.opening) return;
    call.part.opening = {
      type: "tool-call",
      id: call.id || madeCallId(this.#answer, this.#alternative, this.#count),
      name,
      arguments: "",
      kind: said.kind,
    };
    this.#count++;
  }
}

/** Arguments are text; a few upstreams send them as one object. */
function grow(part: QueuedPart, value: JsonValue | undefined): void {
  if (value === undefined || value === null) return;
  const text = typeof value === "string" ? value : jsonText(value);
  part.pending += text;
  part.text += text;
}

function patchOf({ continuation, native }: Call): PartPatch | undefined {
  if (!continuation && isEmpty(native)) return undefined;
  return { ...(continuation && { continuation }), ...keep(native) };
}
