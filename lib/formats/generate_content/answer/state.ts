import type {
  CanonicalEvent,
  Continuation,
  JsonObject,
  PartPatch,
  TokenLogprob,
} from "../../../canonical/mod.ts";
import { textOf } from "../../wire_value.ts";
import { madeCallId } from "../ids.ts";
import { format } from "../native.ts";
import type { CitationSearch } from "./citations.ts";
import type { PartialArguments } from "./partial_arguments.ts";

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
