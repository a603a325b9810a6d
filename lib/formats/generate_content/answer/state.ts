import type {
  CanonicalEvent,
  Continuation,
  JsonObject,
  JsonValue,
  PartPatch,
  TokenLogprob,
} from "../../../canonical/mod.ts";
import { isEmpty, listOf, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { madeCallId } from "../ids.ts";
import { format } from "../native.ts";
import type { CitationSearch } from "./citations.ts";

/** An answer as its chunks arrive. */
export interface AnswerState {
  readonly out: CanonicalEvent[];
  readonly candidates: Map<unknown, CandidateState>;
  /** True for a whole answer, which may omit its finish reason. */
  readonly whole: boolean;
  id: string;
  started: boolean;
  over: boolean;
  blocked: boolean;
  parts: number;
  hostedToolCalls: Readonly<Record<string, number>>;
  /** Fields of the whole answer that came after its first chunk. */
  late: JsonObject;
}

export interface CandidateState {
  readonly alternative: number;
  open?: OpenText | OpenCall;
  calls: number;
  hasOutput: boolean;
  /** Texts that ended before their sources were known. */
  readonly uncited: string[];
  /** Tokens of content other than texts. */
  readonly strayTokens: TokenLogprob[];
  readonly search: CitationSearch;
  finishReason?: string;
  native: JsonObject;
}

/** A text or a reasoning that grows until another part arrives, or until its signature does. */
interface OpenText {
  readonly type: "text" | "reasoning";
  readonly index: number;
  readonly pieces: string[];
  proof?: Continuation;
}

interface OpenCall {
  readonly type: "tool-call";
  readonly index: number;
  readonly args: PartialArguments;
  proof?: Continuation;
}

export function freshState(whole: boolean): AnswerState {
  return {
    out: [],
    candidates: new Map(),
    whole,
    id: "",
    started: false,
    over: false,
    blocked: false,
    parts: 0,
    hostedToolCalls: {},
    late: {},
  };
}

export function callIdIn(state: AnswerState, candidate: CandidateState, call: JsonObject): string {
  const ordinal = candidate.calls++;
  return textOf(call.id) ||
    madeCallId("answer", state.id, candidate.alternative, ordinal, textOf(call.name));
}

/** A signature in an answer is always the upstream's own. */
export function proofOf(signature: string): Continuation | undefined {
  return signature === "" ? undefined : { issuer: format, data: signature };
}

export function patchOf(patch: PartPatch): { patch?: PartPatch } {
  return Object.keys(patch).length === 0 ? {} : { patch };
}

export function alternativeOf({ alternative }: CandidateState): { alternative?: number } {
  return alternative > 0 ? { alternative } : {};
}

type Node = Record<string, unknown> | unknown[];

const depthMax = 64;
const itemsMax = 10_000;

/**
 * The arguments of one call that the vendor's cloud streams value by value, each under its JSON
 * path. Pieces of a string are joined; values at an invalid path are left out.
 */
export class PartialArguments {
  readonly #root: Record<string, unknown> = Object.create(null);

  add(partialArgs: JsonValue | undefined): void {
    for (const partial of objectsOf(partialArgs)) {
      const keys = keysOf(textOf(partial.jsonPath));
      if (keys) place(this.#root, keys, partial);
    }
  }

  /** Adds arguments that arrived whole beside the pieces. */
  addWhole(args: JsonValue | undefined): void {
    for (const [key, value] of Object.entries(objectOf(args))) this.#root[key] = value;
  }

  /** The JSON text of all arguments. */
  text(): string {
    return JSON.stringify(this.#root);
  }
}

/** Returns true if a wire call is a fragment. */
export function isPartial(call: JsonObject): boolean {
  return listOf(call.partialArgs).length > 0 || call.willContinue === true || isEmpty(call);
}

function place(
  root: Record<string, unknown>,
  keys: readonly (string | number)[],
  partial: JsonObject,
) {
  let node: Node = root;
  for (const [depth, key] of keys.slice(0, -1).entries()) {
    const present: unknown = read(node, key);
    const next: Node = isNode(present)
      ? present
      : typeof keys[depth + 1] === "number"
      ? []
      : Object.create(null);
    write(node, key, next);
    node = next;
  }
  const last = keys[keys.length - 1];
  const before = read(node, last);
  const { stringValue, numberValue, boolValue } = partial;
  const value = stringValue ?? numberValue ?? boolValue ?? null;
  const joins = typeof before === "string" && typeof value === "string";
  write(node, last, joins ? before + value : value);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function read(node: Node, key: string | number): unknown {
  return Array.isArray(node) ? node[Number(key)] : node[key];
}

/** Writes a value if the key fits its node: a name in an array is left out. */
function write(node: Node, key: string | number, value: unknown): void {
  if (!Array.isArray(node)) node[key] = value;
  else if (typeof key === "number" && key < itemsMax) node[key] = value;
}

/** The keys of `$.a.b[0]['c d']`. */
function keysOf(path: string): (string | number)[] | undefined {
  const keys: (string | number)[] = [];
  for (const [, name, index, quoted] of path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]/g)) {
    keys.push(name ?? quoted ?? Number(index));
  }
  return keys.length > 0 && keys.length <= depthMax ? keys : undefined;
}
