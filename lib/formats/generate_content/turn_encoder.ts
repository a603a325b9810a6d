import {
  type CanonicalRequest,
  continueText,
  type JsonObject,
  type Part,
  type ReasoningPart,
  type Turn,
} from "../../canonical/mod.ts";
import { mapped, type Steps } from "../../pace.ts";
import { isMedia } from "./media.ts";
import { format, ownFields, withOwnFields } from "./native.ts";
import { encodePart, textsOf } from "./part_encoder.ts";
import { noProof, ownProof } from "./proof.ts";
import type { RequestContext } from "./request_context.ts";

interface Content {
  readonly role: "user" | "model";
  readonly parts: JsonObject[];
  readonly turn: Turn;
}

/** Turns as alternating contents, with all results of a step before any other part. */
export function* encodeTurns(
  { turns }: CanonicalRequest,
  context: RequestContext,
): Steps<JsonObject[]> {
  yield;
  const contents = yield* mapped(
    turns,
    (turn, index) => encodeTurn(turn, `turns[${index}]`, context),
  );
  yield;
  const merged = context.own ? contents : asked(mergedByRole(contents.filter(isSaying)), context);
  if (context.traits.signed) withstandMissingProofs(merged);
  yield;
  return merged.map((content) =>
    withOwnFields(
      { role: content.role, ...(isSaying(content) && { parts: content.parts }) },
      content.turn,
    )
  );
}

/** Adds a user turn, because the vendor refuses a prompt that does not begin with one. */
function asked(contents: Content[], { notes }: RequestContext): Content[] {
  if (contents.length > 0 && contents[0].role !== "model") return contents;
  notes.add("userTurn");
  const turn: Turn = { role: "user", parts: [continueText] };
  return [{ role: "user", parts: [{ text: continueText.text }], turn }, ...contents];
}

/** Returns true if a content has parts: a truncated answer may have none, and the vendor accepts it back. */
function isSaying({ parts }: Content): boolean {
  return parts.length > 0;
}

function encodeTurn(turn: Turn, path: string, context: RequestContext): Content {
  const { notes, own } = context;
  notes.foreign(turn.native, path);
  switch (turn.role) {
    case "assistant":
      return { role: "model", parts: encodeSteps(turn.parts, path, context), turn };
    case "user": {
      const parts = turn.parts.flatMap((part, index) =>
        encodePart(part, `${path}.parts[${index}]`, context)
      );
      return { role: "user", parts: own ? parts : resultsFirst(parts), turn };
    }
    case "system":
      notes.add("systemTurn", path);
      return { role: "user", parts: encodeSystemTurn(turn, path, context), turn };
    default:
      return turn.role satisfies never;
  }
}

/** The vendor has no system message between turns; its models know this tag. */
function encodeSystemTurn({ parts }: Turn, path: string, context: RequestContext): JsonObject[] {
  const text = textsOf(parts, path, context).join("\n\n");
  const media = parts.flatMap((part, index) =>
    isMedia(part) ? encodePart(part, `${path}.parts[${index}]`, context) : []
  );
  return [
    ...(text === "" ? [] : [{ text: `<system-reminder>\n${text}\n</system-reminder>` }]),
    ...media,
  ];
}

/**
 * The parts of a model's turn. A signature of this vendor that came back in a reasoning part of its
 * own (other formats have no other place for it) returns to the next part.
 */
function encodeSteps(parts: readonly Part[], path: string, context: RequestContext): JsonObject[] {
  const steps: JsonObject[] = [];
  let held: { thoughtSignature?: string } = {};
  for (const [index, part] of parts.entries()) {
    if (isStrayProof(part)) {
      steps.push(...bareProof(held));
      held = ownProof(part.continuation);
      continue;
    }
    const place = `${path}.parts[${index}]`;
    for (const wire of encodePart(part, place, { ...context, ...heldFor(held) })) {
      const bearer = part.type !== "native" && ("functionCall" in wire || "text" in wire);
      if (bearer && wire.thoughtSignature === undefined && wire.thought !== true) {
        steps.push({ ...wire, ...held });
        held = {};
      } else steps.push(wire);
    }
  }
  return [...steps, ...bareProof(held)];
}

/** Keeps an empty text only if it carries a signature. */
function heldFor({ thoughtSignature }: { thoughtSignature?: string }): { keepsEmpty?: boolean } {
  return thoughtSignature === undefined ? {} : { keepsEmpty: true };
}

function isStrayProof(part: Part): part is ReasoningPart {
  return part.type === "reasoning" && !ownFields(part) && part.continuation?.issuer === format;
}

function bareProof(proof: { thoughtSignature?: string }): JsonObject[] {
  return proof.thoughtSignature === undefined ? [] : [{ text: "", ...proof }];
}

/** Results come first, whatever else the user sent; media for older models follow them. */
function resultsFirst(parts: readonly JsonObject[]): JsonObject[] {
  const results = parts.filter((part) => "functionResponse" in part);
  return [...results, ...parts.filter((part) => !("functionResponse" in part))];
}

function mergedByRole(contents: readonly Content[]): Content[] {
  const merged: Content[] = [];
  for (const content of contents) {
    const last = merged.at(-1);
    if (last?.role !== content.role) merged.push({ ...content, parts: [...content.parts] });
    else for (const part of content.parts) last.parts.push(part);
  }
  return merged.map((content) =>
    content.role === "user" ? { ...content, parts: resultsFirst(content.parts) } : content
  );
}

/**
 * Third-generation models refuse a step of the current turn whose first call lacks its signature
 * (2025-11): a lost one is replaced with the vendor's own placeholder.
 */
function withstandMissingProofs(contents: readonly Content[]): void {
  const asked = contents.findLastIndex(({ role, parts }) =>
    role === "user" && !parts.some((part) => "functionResponse" in part)
  );
  for (const { role, parts } of contents.slice(asked + 1)) {
    if (role !== "model") continue;
    const first = parts.findIndex((part) => "functionCall" in part);
    if (first >= 0 && parts[first].thoughtSignature === undefined) {
      parts[first] = { ...parts[first], thoughtSignature: noProof };
    }
  }
}
