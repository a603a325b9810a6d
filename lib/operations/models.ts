import { type Caller, mayUseModel } from "../accounts/authorize.ts";
import { type FormatName, formatNames, GatewayError, type JsonObject } from "../canonical/mod.ts";
import {
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
import { failed, type GatewayDeps } from "../gateway.ts";
import type { Call } from "../http/call.ts";
import { answerHeaders } from "../http/errors.ts";
import { type Model, servesGroup } from "../store/catalog/mod.ts";
import { type ModelPage, pageOf, tokenAfter } from "./model_page.ts";

/** The sources of the model list. */
export interface ModelSource {
  readonly gateway: GatewayDeps;
  /** The records of the public models, priced or not. */
  readonly models: () => readonly Model[];
}

/**
 * `GET /v1/models[/{model}]` and `GET /v1beta/models[/{model}]`: the models that the key's group
 * may use, paged if the format's SDK requests pages. One body serves the chat-completions and the
 * messages SDK; a client of the generate-content family gets that family's shape.
 */
export async function answerModels(call: Call, source: ModelSource): Promise<Response> {
  try {
    const caller = await source.gateway.whoCalls(call);
    return Response.json(bodyFor(call, visibleModels(caller, source)), {
      headers: answerHeaders(call.id),
    });
  } catch (thrown) {
    return failed(call, thrown, source.gateway);
  }
}

function bodyFor(call: Call, cards: readonly ModelCard[]): JsonObject {
  const { codec, parameter } = call;
  const encode = shapes[codec.name];
  if (parameter === undefined) return encode.list(pageOf(call, cards));
  const card = cards.find(({ id }) => id === parameter);
  if (card) return encode.one(card);
  throw new GatewayError(
    "model_not_found",
    `Model '${parameter}' is not available to this key. List models with GET /v1/models`,
  );
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
    .map((id) => cardOf(id, caller, [known.get(id), catalogModel(id), listed.get(id)]));
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
  sources: readonly (Facts | undefined)[],
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
    ...usesOf(id, caller),
  };
}
