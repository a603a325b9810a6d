import {
  isJsonObject,
  type JsonObject,
  keepLogprobs,
  type PartPatch,
  type TokenLogprob,
} from "../../../canonical/mod.ts";
import { isEmpty, restOf, textOf } from "../../wire_value.ts";
import { decodePart, type PartReader } from "../content.ts";
import { keep, mark } from "../native.ts";
import { decodeCitations } from "./citations.ts";
import {
  alternativeOf,
  type AnswerState,
  callIdIn,
  type CandidateState,
  isPartial,
  PartialArguments,
  patchOf,
  proofOf,
} from "./state.ts";

export function decodeAnswerPart(
  state: AnswerState,
  candidate: CandidateState,
  part: JsonObject,
  tokens?: readonly TokenLogprob[],
): void {
  if (typeof part.text === "string") return decodeText(state, candidate, part, tokens);
  if (isJsonObject(part.functionCall) && isPartial(part.functionCall)) {
    return decodePartialCall(state, candidate, part, part.functionCall);
  }
  close(state, candidate);
  decodeWholePart(state, candidate, part);
}

function decodeText(
  state: AnswerState,
  candidate: CandidateState,
  wire: JsonObject,
  tokens: readonly TokenLogprob[] = [],
): void {
  const type = wire.thought === true ? "reasoning" : "text";
  const text = textOf(wire.text);
  const proof = proofOf(textOf(wire.thoughtSignature));
  const rest = restOf(wire, ["text", "thought", "thoughtSignature"]);
  if (text === "" && !proof && isEmpty(rest) && tokens.length === 0) return;
  const grows = candidate.open?.type === type && !candidate.open.proof && isEmpty(rest);
  if (!grows) openText(state, candidate, type, rest);
  const { open } = candidate;
  if (!open || open.type === "tool-call") return;
  growText(state, candidate, text, tokens);
  if (proof) open.proof = proof;
  if (type === "text" && text !== "") candidate.hasOutput = true;
}

/** Adds text and tokens to the open text; a part of a character is a token without text. */
export function growText(
  state: AnswerState,
  { open }: CandidateState,
  text: string,
  tokens: readonly TokenLogprob[] = [],
): void {
  if (!open || open.type === "tool-call" || (text === "" && tokens.length === 0)) return;
  if (text !== "") open.pieces.push(text);
  const logprobs = open.type === "text" ? keepLogprobs(tokens) : {};
  state.out.push({ type: "part-delta", index: open.index, text, ...logprobs });
}

function openText(
  state: AnswerState,
  candidate: CandidateState,
  type: "text" | "reasoning",
  rest: JsonObject,
): void {
  close(state, candidate);
  const index = state.parts++;
  candidate.open = { type, index, pieces: [] };
  state.out.push({
    type: "part-start",
    index,
    ...alternativeOf(candidate),
    part: type === "text"
      ? { type, text: "", ...keep(rest) }
      : { type, text: "", visibility: "summary", ...mark(rest) },
  });
}

/** The vendor's cloud may stream a call's arguments: the name first, values by path, an empty call last. */
function decodePartialCall(
  state: AnswerState,
  candidate: CandidateState,
  part: JsonObject,
  call: JsonObject,
): void {
  if (textOf(call.name) !== "") openCall(state, candidate, call);
  const { open } = candidate;
  if (open?.type !== "tool-call") return;
  open.args.addWhole(call.args);
  open.args.add(call.partialArgs);
  open.proof ??= proofOf(textOf(part.thoughtSignature));
  if (call.willContinue !== true) close(state, candidate);
}

function openCall(state: AnswerState, candidate: CandidateState, call: JsonObject): void {
  close(state, candidate);
  const index = state.parts++;
  const id = callIdIn(state, candidate, call);
  candidate.open = { type: "tool-call", index, args: new PartialArguments() };
  candidate.hasOutput = true;
  const name = textOf(call.name);
  state.out.push({
    type: "part-start",
    index,
    ...alternativeOf(candidate),
    part: { type: "tool-call", id, name, arguments: "", kind: "function" },
  });
}

function decodeWholePart(state: AnswerState, candidate: CandidateState, wire: JsonObject): void {
  const reader: PartReader = {
    proofOf,
    callId: (call) => callIdIn(state, candidate, call),
    resultId: ({ id }) => textOf(id),
  };
  for (const part of decodePart(wire, reader)) {
    const index = state.parts++;
    const isCall = part.type === "tool-call";
    const { continuation } = part;
    state.out.push({
      type: "part-start",
      index,
      ...alternativeOf(candidate),
      part: isCall ? { ...part, arguments: "" } : part,
    });
    if (isCall) state.out.push({ type: "part-delta", index, text: part.arguments });
    state.out.push({
      type: "part-end",
      index,
      ...patchOf({ ...(continuation && { continuation }) }),
    });
    candidate.hasOutput = true;
  }
}

export function close(state: AnswerState, candidate: CandidateState): void {
  const { open } = candidate;
  if (!open) return;
  candidate.open = undefined;
  if (open.type === "tool-call") {
    state.out.push({ type: "part-delta", index: open.index, text: open.args.text() });
  }
  const text = open.type === "text" ? open.pieces.join("") : "";
  const citations = decodeCitations(candidate.native, text, candidate.search);
  if (citations.length === 0 && text !== "") candidate.uncited.push(text);
  const patch: PartPatch = {
    ...(open.proof && { continuation: open.proof }),
    ...(citations.length > 0 && { citations }),
  };
  state.out.push({ type: "part-end", index: open.index, ...patchOf(patch) });
}
