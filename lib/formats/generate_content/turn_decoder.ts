import type {
  JsonObject,
  JsonValue,
  Part,
  ReasoningPart,
  TextPart,
  Turn,
} from "../../canonical/mod.ts";
import { isEmpty, objectOf, objectsOf, restOf, textOf } from "../wire_value.ts";
import { decodePart, type PartReader } from "./content.ts";
import { CallIds } from "./ids.ts";
import { format, keep } from "./native.ts";
import { openProof } from "./proof.ts";

export function decodeInstructions(content: JsonValue | undefined): TextPart[] {
  return objectsOf(objectOf(content).parts).map((part) => ({
    type: "text",
    text: textOf(part.text),
    ...keep(restOf(part, ["text"])),
  }));
}

export function decodeTurns(contents: JsonValue | undefined): Turn[] {
  const ids = new CallIds();
  const reader: PartReader = {
    proofOf: openProof,
    callId: (call) => ids.ofCall(call),
    resultId: (result) => ids.ofResult(result),
  };
  let role: unknown = "model";
  const turns = objectsOf(contents).map((content) => {
    if (content.role === "model" && role !== "model") ids.beginStep();
    role = content.role;
    return decodeTurn(content, reader);
  });
  return rejoined(turns);
}

function decodeTurn(content: JsonObject, reader: PartReader): Turn {
  return {
    role: content.role === "model" ? "assistant" : "user",
    parts: objectsOf(content.parts).flatMap((part) => decodePart(part, reader)),
    ...keep(restOf(content, ["role", "parts"])),
  };
}

/**
 * Joins the pieces of a streamed reasoning. Clients return each chunk as a content of its own, with
 * the signature on the last one; another vendor's signature is valid for the whole text only.
 */
function rejoined(turns: readonly Turn[]): Turn[] {
  const pieces: { readonly turn: number; readonly part: number; readonly text: string }[] = [];
  const parts = turns.map((turn) => [...turn.parts]);
  const joined = new Set<Part>();
  for (const [turn, list] of parts.entries()) {
    for (const [index, part] of list.entries()) {
      if (isPiece(part) && turns[turn].role === "assistant") {
        pieces.push({ turn, part: index, text: part.text });
        continue;
      }
      if (isForeignProof(part) && pieces.length > 0) {
        for (const piece of pieces) joined.add(parts[piece.turn][piece.part]);
        list[index] = whole(pieces.map(({ text }) => text).join("") + part.text, part);
      }
      pieces.length = 0;
    }
  }
  if (joined.size === 0) return [...turns];
  return turns.map((turn, at) => ({
    ...turn,
    parts: parts[at].filter((part) => !joined.has(part)),
  }));
}

function isPiece(part: Part): part is ReasoningPart {
  return part.type === "reasoning" && !part.continuation && isEmpty(part.native?.fields ?? {});
}

/**
 * True for a reasoning part that itself carries another vendor's signature. A redacted one does
 * not: it precedes the part that carried the signature.
 */
function isForeignProof(part: Part): part is ReasoningPart {
  return part.type === "reasoning" && part.visibility !== "redacted" &&
    part.continuation !== undefined && part.continuation.issuer !== format;
}

function whole(text: string, { continuation }: ReasoningPart): ReasoningPart {
  return { type: "reasoning", text, visibility: "summary", ...(continuation && { continuation }) };
}
