import {
  type CanonicalRequest,
  effortAsked,
  efforts,
  isBudgetAsEffort,
  type JsonObject,
  openContinuation,
  type Reasoning,
  type ReasoningPart,
  withoutText,
} from "../../canonical/mod.ts";
import { traitsOf } from "../request/settings.ts";
import { objectOf, objectsOf, restOf, statesOnly, textOf, textOrNothing } from "../wire_value.ts";
import { isMadeHere } from "./ids.ts";
import { format, keep, mark, ownFields } from "./native.ts";
import type { Notes } from "./notes.ts";

const summaries = ["auto", "concise", "detailed"] as const;

/** The request's `reasoning`. */
export function decodeReasoning(value: unknown): { reasoning?: Reasoning } {
  const wire = objectOf(value);
  const effort = efforts.find((name) => name === wire.effort);
  const summary = summaries.find((name) => name === wire.summary);
  const rest = restOf(
    wire,
    [...(effort ? ["effort"] : []), ...(summary ? ["summary"] : [])],
  );
  if (Object.keys(wire).length === 0) return {};
  return {
    reasoning: {
      ...(effort && { effort }),
      ...(summary && { summary }),
      ...keep(rest),
    },
  };
}

/** Uses an effort for a budget if the caller stated no effort; visible reasoning is requested as a summary. */
export function encodeReasoning(
  { model, reasoning, native }: CanonicalRequest,
  notes: Notes,
): { reasoning?: JsonObject } {
  if (!reasoning) return {};
  const own = native?.format === format;
  if (!own && !traitsOf(model).effort) return withoutEffort(reasoning, notes);
  if (isBudgetAsEffort(reasoning)) notes.add("reasoningBudget");
  const effort = effortAsked(reasoning);
  const summary = reasoning.summary ?? (own || effort === "none" ? undefined : "auto");
  notes.foreign(reasoning.native, "reasoning.native");
  const wire: JsonObject = {
    ...(effort && { effort }),
    ...(summary && summary !== "none" && { summary }),
    ...ownFields(reasoning),
  };
  return Object.keys(wire).length === 0 ? {} : { reasoning: wire };
}

/** Notes the loss for a model without reasoning, if the caller requested it. */
function withoutEffort({ effort, budgetTokens, mode }: Reasoning, notes: Notes) {
  const off = mode === "disabled" || effort === "none" || budgetTokens === 0;
  if (!off && (effort ?? budgetTokens ?? mode) !== undefined) notes.add("reasoningEffort");
  return {};
}

/** Joins the pieces of one summary as paragraphs. */
export const pieceSeparator = "\n\n";

/**
 * Decodes a reasoning item: its summary as one part, its raw content as another; without either,
 * one part with empty text. The continuation belongs to the last part. An item that this gateway
 * made without a continuation is not marked as the format's own, because no vendor knows it.
 */
export function decodeReasoningItem(item: JsonObject): ReasoningPart[] {
  const id = textOf(item.id);
  const sealed = textOrNothing(item.encrypted_content);
  const proof = sealed ? openContinuation(format, sealed, id || undefined) : undefined;
  const continuation = proof && withoutText(proof);
  const texts = [
    { visibility: "summary", text: joined(item.summary) },
    { visibility: "raw", text: joined(item.content) },
  ] as const;
  const pieces = texts.filter(({ text }) => text !== undefined);
  const native = isMadeHere(id) ? {} : mark(reasoningFields(item));
  if (pieces.length === 0) {
    const hidden = proof?.text;
    return [{
      type: "reasoning",
      text: hidden ?? "",
      visibility: hidden ? "raw" : hidden === undefined && continuation ? "redacted" : "summary",
      ...(continuation && { continuation }),
      ...native,
    }];
  }
  return pieces.map(({ visibility, text }, index) => ({
    type: "reasoning",
    text: text ?? "",
    visibility,
    ...(index === pieces.length - 1 && continuation && { continuation }),
    ...native,
  }));
}

/** The item of adjacent reasoning parts, without `id` and continuation. */
export function encodeReasoningItem(parts: readonly ReasoningPart[]): JsonObject {
  const own = ownFields(parts[0]);
  const raw = piecesOf(parts, "raw", "reasoning_text");
  return {
    ...(raw.length > 0 && { content: raw }),
    summary: piecesOf(parts, "summary", "summary_text"),
    ...restOf(own ?? {}, ["id", "status"]),
    type: "reasoning",
  };
}

/** A piece with text is raw or a summary, according to its events; no event announces an empty piece. */
function piecesOf(
  parts: readonly ReasoningPart[],
  shown: "summary" | "raw",
  type: string,
): JsonObject[] {
  return parts.filter(({ text, visibility }) =>
    text !== "" && (visibility === "raw") === (shown === "raw")
  ).map(({ text }) => ({ type, text }));
}

/** Fields that the canonical parts cannot restore: several pieces, empty ones, additional members. */
function reasoningFields(item: JsonObject): JsonObject {
  const summary = objectsOf(item.summary);
  const content = objectsOf(item.content);
  return {
    ...restOf(item, ["type", "summary", "content", "encrypted_content"]),
    ...(!isPlain(summary) && { summary }),
    ...(!isPlain(content) && { content }),
  };
}

function isPlain(pieces: readonly JsonObject[]): boolean {
  if (pieces.length === 0) return true;
  return pieces.length === 1 && statesOnly(pieces[0], ["type", "text"]) && pieces[0].text !== "";
}

function joined(pieces: unknown): string | undefined {
  const objects = objectsOf(pieces);
  if (objects.length === 0) return undefined;
  return objects.map(({ text }) => textOf(text)).join(pieceSeparator);
}
