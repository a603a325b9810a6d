import { GatewayError, type JsonObject } from "../../canonical/mod.ts";
import { countOf, listOf, objectOf, objectsOf, textOf } from "../wire_value.ts";

/** The model list of a format's upstreams. */
export interface ModelListing {
  /** The address of a page relative to the format's base URL; of the first page without `next`. */
  path(next?: string): string;
  /** Throws `upstream_invalid_response` for a body that is not a list. */
  decode(body: unknown): ModelPage;
}

interface ModelPage {
  readonly models: readonly ListedModel[];
  /** The token of the next page; absent on the last. */
  readonly next?: string;
}

/** An upstream's data about one of its models. Numbers are tokens. */
export interface ListedModel {
  /** The name that a call uses. */
  readonly id: string;
  readonly displayName?: string;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
}

/** The list of the chat-completions and responses formats: one page, with additions of vendors and servers. */
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

/** A row without empty values: no empty name, no name equal to the id, no missing number. */
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

/** Characters of model names; other text of an upstream might be meant for a shell, a page or a log. */
const modelName = /^[\p{L}\p{N}][\p{L}\p{N}._:\/@+~,()=#%-]{0,199}$/u;

/** A page of the rows with a valid name. `next` is the value of the upstream's next-page member. */
export function modelPage(models: readonly ListedModel[], next: unknown): ModelPage {
  return {
    models: models.filter(({ id }) => modelName.test(id)),
    ...(typeof next === "string" && next !== "" && { next }),
  };
}

/** The rows of a list. Throws if there are none: an empty list would hide that something else answered. */
export function listIn(rows: unknown): unknown {
  if (Array.isArray(rows)) return listOf(rows);
  throw new GatewayError(
    "upstream_invalid_response",
    "The upstream's response is not a list of models",
  );
}
