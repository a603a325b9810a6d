import fc from "fast-check";
import {
  type FormatName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/canonical/mod.ts";
import { samples } from "./samples/mod.ts";

/**
 * Random answers of a vendor: pieces of all samples of a format in any choice and order, with an
 * unknown member anywhere.
 */
export function wireAnswer(from: FormatName): fc.Arbitrary<JsonObject> {
  return fc.record({
    envelope: fc.constantFrom(...wiresOf(from).filter(isAnswer)),
    pieces: fc.shuffledSubarray(piecesOf[from], { maxLength: 6 }),
    at: fc.nat(),
    isKnown: fc.boolean(),
  }).map(({ envelope, pieces, at, isKnown }) => {
    const answer = assembled[from](envelope, pieces);
    return isKnown ? answer : withUnknown(from, answer, at);
  });
}

/** Without the sample's text, an interrupted answer is an error. */
function isAnswer({ candidates }: JsonObject): boolean {
  return !objects(candidates).some(({ finishReason }) =>
    finishReason === "MALFORMED_FUNCTION_CALL"
  );
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function partsOf({ content }: JsonObject): JsonObject[] {
  return isJsonObject(content) ? objects(content.parts) : [];
}

function wiresOf(from: FormatName): JsonObject[] {
  return samples[from].map(({ wire }) => wire);
}

/** The pieces of a format's answers. */
const piecesOf: Readonly<Record<FormatName, JsonObject[]>> = {
  "chat-completions": wiresOf("chat-completions").flatMap(({ choices }) => objects(choices)),
  responses: wiresOf("responses").flatMap(({ output }) => objects(output)),
  messages: wiresOf("messages").flatMap(({ content }) => objects(content)),
  "generate-content": wiresOf("generate-content").flatMap(({ candidates }) => objects(candidates))
    .flatMap(partsOf),
};

type Assemble = (envelope: JsonObject, pieces: readonly JsonObject[]) => JsonObject;

const assembled: Readonly<Record<FormatName, Assemble>> = {
  "chat-completions": (envelope, pieces) => ({
    ...envelope,
    choices: (pieces.length > 0 ? pieces : objects(envelope.choices)).map((choice, index) => ({
      ...choice,
      index,
    })),
  }),
  responses: (envelope, output) => ({ ...envelope, output }),
  messages: (envelope, content) => ({
    ...envelope,
    content,
    ...(content.some(({ type }) => type === "tool_use") && {
      stop_reason: "tool_use",
      stop_details: null,
    }),
  }),
  "generate-content": (envelope, parts) => ({
    ...envelope,
    candidates: objects(envelope.candidates).map((candidate, index) =>
      index === 0 ? { ...candidate, content: { role: "model", parts } } : candidate
    ),
  }),
};

/** Adds a member that no format has to one of the objects that vendors extend. */
function withUnknown(from: FormatName, answer: JsonObject, at: number): JsonObject {
  const copy: JsonObject = structuredClone(answer);
  const holders = [copy, ...holdersIn[from](copy)];
  Object.assign(holders[at % holders.length], { of_tomorrow: { says: `news ${at} of tomorrow` } });
  return copy;
}

const holdersIn: Readonly<Record<FormatName, (answer: JsonObject) => JsonObject[]>> = {
  "chat-completions": ({ choices }) =>
    objects(choices).flatMap((choice) => [choice, ...objects([choice.message ?? null])]),
  responses: ({ output }) => objects(output).flatMap((item) => [item, ...objects(item.content)]),
  messages: ({ content }) => objects(content),
  "generate-content": ({ candidates }) =>
    objects(candidates).flatMap((candidate) => [candidate, ...partsOf(candidate)]),
};
