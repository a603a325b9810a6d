import { type FormatName, GatewayError, type JsonObject } from "../canonical/mod.ts";
import { countOf, listOf, objectOf, objectsOf, textOf } from "./wire_value.ts";

/** The data about a model that a caller may see. Each format's model list is derived from it. */
export interface ModelCard {
  /** The public name, as requests use it. */
  readonly id: string;
  readonly displayName: string;
  /** A line for the person who chooses. */
  readonly description?: string;
  readonly createdAtMs: number;
  readonly ownedBy: string;
  /** Tokens of prompt and answer together. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** Known features apart from answering text with text, such as `reasoning` and `vision`. */
  readonly capabilities: readonly string[];
  /** The formats in which the caller may use it; empty for models with another purpose, such as embeddings. */
  readonly formats: readonly FormatName[];
  /** Addresses of relayed endpoints that accept it, such as `/v1/embeddings`. */
  readonly relayed?: readonly string[];
}

/**
 * The body of `GET /v1/models`: a superset that the SDKs of the chat-completions and the messages
 * format both accept, because both use this address.
 */
export function encodeModelList(models: readonly ModelCard[], hasMore = false): JsonObject {
  return {
    object: "list",
    data: models.map(encodeModel),
    has_more: hasMore,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  };
}

/** The body of `GET /v1/models/{id}`: `created` is in seconds, `created_at` an RFC 3339 time. */
export function encodeModel(card: ModelCard): JsonObject {
  const createdAtMs = Math.abs(card.createdAtMs) <= dateMsMax ? card.createdAtMs : 0;
  return {
    id: card.id,
    object: "model",
    created: Math.floor(createdAtMs / 1000),
    owned_by: card.ownedBy,
    type: "model",
    display_name: card.displayName,
    ...(card.description !== undefined && { description: card.description }),
    created_at: new Date(createdAtMs).toISOString(),
    supported_endpoints: [
      ...card.formats.map((format) => addressOf[format]),
      ...card.relayed ?? [],
    ],
    ...(card.contextWindow !== undefined && { max_input_tokens: card.contextWindow }),
    ...(card.maxOutputTokens !== undefined && { max_tokens: card.maxOutputTokens }),
  };
}

/** The latest time that a `Date` can hold, in milliseconds. */
const dateMsMax = 8.64e15;

const addressOf = {
  "chat-completions": "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  "generate-content": "/v1beta/models/{model}:generateContent",
} as const satisfies Record<FormatName, string>;

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
