import { hash } from "node:crypto";
import type { Caller } from "../accounts/authorize.ts";
import { mayUseModel } from "../accounts/model_rules.ts";
import { type FormatName, formatNames, GatewayError, type JsonObject } from "../canonical/mod.ts";
import {
  capabilitiesOf,
  catalogModel,
  namesForGroup,
  type NameSources,
  type Purpose,
  purposeOf,
} from "../catalog/mod.ts";
import type { RelayedOperation } from "../formats/wire.ts";
import {
  encodeModel as encodeGenerateContentModel,
  encodeModelList as encodeGenerateContentModelList,
} from "../formats/generate_content/model_list.ts";
import {
  encodeModel,
  encodeModelList,
  type ListedModel,
  type ModelCard,
} from "../formats/models.ts";
import { relayedEndpoint } from "../formats/relayed/mod.ts";
import { encodeAgentList } from "../formats/responses/agent_catalog.ts";
import { aliasedModel, aliasOf, type GatewayDeps } from "../gateway.ts";
import type { Call } from "../http/call.ts";
import { answerHeaders } from "../http/errors.ts";
import { type Model, servesGroup } from "../store/catalog/mod.ts";
import { answerCaller } from "./answer.ts";

/** The sources of the model list. */
export interface ModelSource {
  readonly gateway: GatewayDeps;
  /** The records of the public models, priced or not. */
  readonly models: () => readonly Model[];
}

/**
 * `GET /v1/models[/{model}]` and `GET /v1beta/models[/{model}]`: the models that the key's group
 * may use, paged if the format's SDK requests pages. One body serves the chat-completions and the
 * messages SDK, and Codex; a client of the generate-content family gets that family's shape, and
 * Claude Code all models on one page, under names that it keeps. `If-None-Match` gives 304.
 */
export function answerModels(call: Call, source: ModelSource): Promise<Response> {
  return answerCaller(
    call,
    source.gateway,
    (caller) => tagged(call, bodyFor(call, visibleModels(caller, source))),
  );
}

/** The answer with its tag, or without a body if the caller has it already. */
function tagged(call: Call, body: JsonObject): Response {
  const text = JSON.stringify(body);
  const etag = `"${hash("sha256", text, "base64url")}"`;
  const headers = { ...answerHeaders(call.id), etag };
  const known = call.request.headers.get("if-none-match")?.split(",") ?? [];
  return known.some((one) => one.trim().replace(/^W\//, "") === etag)
    ? new Response(null, { status: 304, headers })
    : new Response(text, { headers: { ...headers, "content-type": "application/json" } });
}

function bodyFor(call: Call, cards: readonly ModelCard[]): JsonObject {
  const { codec, parameter } = call;
  const encode = shapes[codec.name];
  if (parameter === undefined) return listFor(call, cards);
  const card = cards.find(({ id }) => id === parameter) ??
    cards.find(({ id }) => id === aliasedModel(parameter));
  if (card) return encode.one({ ...card, id: parameter });
  throw new GatewayError(
    "model_not_found",
    `Model '${parameter}' is not available to this key. List models with GET /v1/models`,
  );
}

/** Claude Code reads one page only. Codex states its version, and reads `models` instead of `data`. */
function listFor(call: Call, cards: readonly ModelCard[]): JsonObject {
  const { codec, request, url } = call;
  if (codec.name === "messages" && isClaudeCode(request.headers)) {
    return encodeModelList(cards.map(aliased));
  }
  if (codec.name === "chat-completions" && url.searchParams.has("client_version")) {
    return encodeAgentList(cards);
  }
  return shapes[codec.name].list(pageOf(call, cards));
}

/** The card for Claude Code, which does not know the window of a foreign model. */
function aliased(card: ModelCard): ModelCard {
  const { contextWindow } = card;
  const id = aliasOf(card.id);
  if (id === card.id || contextWindow === undefined) return { ...card, id };
  const description = `Set CLAUDE_CODE_MAX_CONTEXT_TOKENS=${contextWindow} for this model`;
  return { ...card, id, description };
}

function isClaudeCode(headers: Headers): boolean {
  return /^claude-(code|cli)\//.test(headers.get("user-agent") ?? "");
}

interface ModelShape {
  readonly list: (page: ModelPage) => JsonObject;
  readonly one: (card: ModelCard) => JsonObject;
}

const superset: ModelShape = {
  list: ({ cards, hasMore }) => encodeModelList(cards, hasMore),
  one: encodeModel,
};

const shapes: Readonly<Record<FormatName, ModelShape>> = {
  "chat-completions": superset,
  responses: superset,
  messages: superset,
  "generate-content": {
    list: (page) => encodeGenerateContentModelList(page.cards, tokenAfter(page)),
    one: encodeGenerateContentModel,
  },
};

/** Every model that the key may use and an upstream serves to its group, sorted by name. */
function visibleModels(caller: Caller, { gateway, models }: ModelSource): ModelCard[] {
  const sources = { upstreams: gateway.upstreams, upstreamLists: gateway.lists, models };
  const known = new Map(models().map((model) => [model.id, model]));
  const listed = listedFacts(caller.group.id, sources);
  return namesForGroup(caller.group.id, sources).filter((id) => mayUseModel(caller, id)).sort()
    .map((id) => {
      const factsOf = (name: string) => [known.get(name), catalogModel(name), listed.get(name)];
      const members = known.get(id)?.members?.map(({ model }) => model) ?? [];
      const largest = largestOf(members.flatMap(factsOf));
      return cardOf(id, caller, { purpose: members[0] ?? id, sources: [...factsOf(id), largest] });
    });
}

/** The limits of the member with the largest window, which takes the longest prompts. */
function largestOf(members: readonly (Facts | undefined)[]): Facts | undefined {
  const [largest] = members.filter((facts) => facts?.contextWindow !== undefined)
    .sort((a, b) => (b?.contextWindow ?? 0) - (a?.contextWindow ?? 0));
  return largest &&
    { contextWindow: largest.contextWindow, maxOutputTokens: largest.maxOutputTokens };
}

/** The models that upstreams of a group list, by id. */
function listedFacts(
  groupId: string,
  { upstreams, upstreamLists }: Pick<NameSources, "upstreams" | "upstreamLists">,
): ReadonlyMap<string, ListedModel> {
  return new Map(
    upstreams().filter((upstream) => upstream.enabled && servesGroup(upstream, groupId))
      .flatMap(({ id }) => upstreamLists().get(id)?.models ?? [])
      .map((model) => [model.id, model]),
  );
}

/** The relayed endpoints of the purposes that no chat format serves. */
const operationsFor: Readonly<Partial<Record<Purpose, readonly RelayedOperation[]>>> = {
  embedding: ["embed"],
  completion: ["complete"],
  image: ["generate-image", "edit-image"],
  speech: ["speak"],
  transcription: ["transcribe", "translate"],
  moderation: ["moderate"],
  rerank: ["rerank"],
  other: [],
};

/**
 * The formats and relayed endpoints of a model. Relayed endpoints need access to chat-completions.
 */
function usesOf(id: string, caller: Caller): Pick<ModelCard, "formats" | "relayed"> {
  const formats = formatsOf(caller);
  const operations = operationsFor[purposeOf(id)];
  if (operations === undefined) return { formats };
  if (!formats.includes("chat-completions")) return { formats: [] };
  return {
    formats: [],
    relayed: operations.flatMap((operation) => relayedEndpoint(operation)?.path ?? []),
  };
}

/** The formats that the group allows: every chat model answers in all of them. */
function formatsOf({ group }: Caller): readonly FormatName[] {
  return group.formats.includes("*")
    ? formatNames
    : formatNames.filter((name) => group.formats.includes(name));
}

/** The facts about a model, from its record, the catalog, or an upstream's list. */
type Facts = Partial<
  Pick<Model, "displayName" | "ownedBy" | "contextWindow" | "maxOutputTokens" | "createdAtMs">
>;

/** Builds a card; each fact is taken from the first source that has it. */
function cardOf(
  id: string,
  caller: Caller,
  { purpose, sources }: {
    /** The name that decides what the model is for: of a virtual model, its first member. */
    readonly purpose: string;
    readonly sources: readonly (Facts | undefined)[];
  },
): ModelCard {
  const first = <Name extends keyof Facts>(name: Name) =>
    sources.map((facts) => facts?.[name]).find((value) => value !== undefined);
  const contextWindow = first("contextWindow");
  const maxOutputTokens = first("maxOutputTokens");
  return {
    id,
    displayName: first("displayName") ?? id,
    createdAtMs: first("createdAtMs") ?? 0,
    ownedBy: first("ownedBy") ?? "tessera",
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    capabilities: capabilitiesOf(catalogModel(purpose)?.id ?? purpose),
    ...usesOf(purpose, caller),
  };
}

/** A page of a model list. */
interface ModelPage {
  readonly cards: readonly ModelCard[];
  /** True if more models follow in the requested direction. */
  readonly hasMore: boolean;
}

/**
 * The page that a call requests with its format's parameters, of a list sorted by id; all without
 * any.
 */
function pageOf({ codec, url }: Call, cards: readonly ModelCard[]): ModelPage {
  return pagers[codec.name](url.searchParams, cards);
}

type Pager = (query: URLSearchParams, cards: readonly ModelCard[]) => ModelPage;

const whole: Pager = (_, cards) => ({ cards, hasMore: false });

const pagers: Readonly<Record<FormatName, Pager>> = {
  "chat-completions": whole,
  responses: whole,
  messages: byNeighbours,
  "generate-content": byToken,
};

/**
 * Pages by sorted id, so that a page can continue after a model that has been removed meanwhile.
 */
function byNeighbours(query: URLSearchParams, cards: readonly ModelCard[]): ModelPage {
  const limit = countIn(query, "limit") ?? cards.length;
  const [after, before] = [query.get("after_id"), query.get("before_id")];
  if (before !== null && after === null) {
    const found = cards.filter(({ id }) => id < before);
    return { cards: found.slice(Math.max(0, found.length - limit)), hasMore: found.length > limit };
  }
  return first(limit, cards.filter(({ id }) => after === null || id > after));
}

function byToken(query: URLSearchParams, cards: readonly ModelCard[]): ModelPage {
  const limit = countIn(query, "pageSize") ?? cards.length;
  const token = query.get("pageToken") ?? "";
  const last = token === "" ? "" : lastOf(token);
  return first(limit, cards.filter(({ id }) => id > last));
}

function first(limit: number, cards: readonly ModelCard[]): ModelPage {
  return { cards: cards.slice(0, limit), hasMore: cards.length > limit };
}

/** The token of the next page; undefined on the last one. */
function tokenAfter({ cards, hasMore }: ModelPage): string | undefined {
  const last = cards.at(-1);
  return hasMore && last ? base64url(last.id) : undefined;
}

function base64url(id: string): string {
  return new TextEncoder().encode(id).toBase64({ alphabet: "base64url", omitPadding: true });
}

function lastOf(token: string): string {
  try {
    const bytes = Uint8Array.fromBase64(token, { alphabet: "base64url" });
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refused("pageToken", "must be the nextPageToken of the previous page", cause);
  }
}

/** The largest page size in the vendors' APIs. */
const pageRowsMax = 1_000;

function countIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= pageRowsMax) return count;
  throw refused(name, `must be a whole number from 1 to ${pageRowsMax}`);
}

function refused(param: string, words: string, cause?: unknown): GatewayError {
  return new GatewayError("invalid_request", `Cannot list models: ${param} ${words}`, {
    param,
    cause,
  });
}
