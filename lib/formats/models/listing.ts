import { GatewayError, type JsonObject } from "../../canonical/mod.ts";
import { countOf, listOf, objectOf, objectsOf, textOf } from "../wire_value.ts";

/** How upstreams of a format list their models. */
export interface ModelListing {
  /** The address of a page relative to the format's base URL; of the first one without `next`. */
  path(next?: string): string;
  /** Throws `upstream_invalid_response` for what is no list. */
  decode(body: unknown): ModelPage;
}

export interface ModelPage {
  readonly models: readonly ListedModel[];
  /** What asks for the page after this one; absent on the last. */
  readonly next?: string;
}

/** What an upstream says of one of its models. Numbers are tokens. */
export interface ListedModel {
  /** As a call names it. */
  readonly id: string;
  readonly displayName?: string;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
}

/** The list of the chat-completions and responses formats: one page, to which vendors and servers add what they know. */
export const plainListing: ModelListing = {
  path: (next) => next === undefined ? "/models" : `/models?after=${encodeURIComponent(next)}`,
  decode(body) {
    const { data, models, has_more, last_id } = objectOf(body);
    const rows = [body, data, models].find(Array.isArray);
    return modelPage(objectsOf(listIn(rows)).map(plainModel), has_more === true && last_id);
  },
};

function plainModel(row: JsonObject): ListedModel {
  return listedModel({
    id: textOf(row.id) || textOf(row.name) || textOf(row.model),
    displayName: textOf(row.display_name) || textOf(row.name),
    contextWindow: countIn(row, contextNames) || countOf(objectOf(row.meta).n_ctx_train),
    maxOutputTokens: countIn(row, outputNames) || countIn(objectOf(row.top_provider), outputNames),
  });
}

/** OpenRouter, Together, Fireworks and Moonshot; Groq; Mistral; vLLM; this gateway. */
const contextNames = [
  "context_length",
  "context_window",
  "max_context_length",
  "max_model_len",
  "max_input_tokens",
];
const outputNames = ["max_completion_tokens", "max_output_tokens", "max_tokens"];

function countIn(row: JsonObject, names: readonly string[]): number {
  return names.map((name) => countOf(row[name])).find((count) => count > 0) ?? 0;
}

const displayNameCharsMax = 100;

function shownName(text: string): string {
  return text.replace(/\p{C}+/gu, " ").slice(0, displayNameCharsMax);
}

/** A row without what nobody said: an empty name, or one that only repeats the id, and no number. */
export function listedModel(
  { id, displayName, contextWindow, maxOutputTokens }: Required<ListedModel>,
): ListedModel {
  return {
    id,
    ...(displayName !== "" && displayName !== id && { displayName: shownName(displayName) }),
    ...(contextWindow > 0 && { contextWindow }),
    ...(maxOutputTokens > 0 && { maxOutputTokens }),
  };
}

/** As names of models are written everywhere; what else an upstream says might be meant for a shell, a page or a log. */
const modelName = /^[\p{L}\p{N}][\p{L}\p{N}._:\/@+~,()=#%-]{0,199}$/u;

/** A page of those rows that have a name. `next` is whatever stood where the next page is named. */
export function modelPage(models: readonly ListedModel[], next: unknown): ModelPage {
  return {
    models: models.filter(({ id }) => modelName.test(id)),
    ...(typeof next === "string" && next !== "" && { next }),
  };
}

/** The rows of a list. Throws where there is none, since an empty one would hide that something else answered. */
export function listIn(rows: unknown): unknown {
  if (Array.isArray(rows)) return listOf(rows);
  throw new GatewayError("upstream_invalid_response", "The upstream's answer is no list of models");
}
