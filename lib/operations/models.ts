import { type Caller, mayUseModel } from "../accounts/authorize.ts";
import { type FormatName, formatNames, GatewayError, type JsonObject } from "../canonical/mod.ts";
import { catalogModel, servedNames } from "../catalog/mod.ts";
import {
  encodeModel as encodeGenerateContentModel,
  encodeModelList as encodeGenerateContentModelList,
} from "../formats/generate_content/model_list.ts";
import type { ModelCard } from "../formats/model_card.ts";
import { encodeModel, encodeModelList } from "../formats/model_list.ts";
import { failed, type Gateway } from "../gateway.ts";
import type { Call } from "../http/call.ts";
import { idHeaders } from "../http/errors.ts";
import { type Model, servesGroup } from "../store/mod.ts";

/** What the model list needs besides the gateway. */
export interface ModelSource {
  readonly gateway: Gateway;
  /** What is known of the public names, priced or not. */
  readonly models: () => readonly Model[];
}

/**
 * `GET /v1/models[/{model}]` and `GET /v1beta/models[/{model}]`: only what the key's group may use.
 * One body serves the chat-completions and the messages SDK; a client of the generate-content
 * family gets that family's shape.
 */
export async function answerModels(call: Call, source: ModelSource): Promise<Response> {
  try {
    const caller = await source.gateway.whoCalls(call);
    return Response.json(bodyFor(call, visibleModels(caller, source)), {
      headers: idHeaders(call.id),
    });
  } catch (thrown) {
    return failed(call, thrown, source.gateway);
  }
}

function bodyFor({ codec, parameter }: Call, cards: readonly ModelCard[]): JsonObject {
  const encode = shapes[codec.name];
  if (parameter === undefined) return encode.list(cards);
  const card = cards.find(({ id }) => id === parameter);
  if (card) return encode.one(card);
  throw new GatewayError(
    "model_not_found",
    `The model ${parameter} does not exist here or the key may not use it`,
  );
}

interface ModelShape {
  readonly list: (cards: readonly ModelCard[]) => JsonObject;
  readonly one: (card: ModelCard) => JsonObject;
}

const superset: ModelShape = { list: encodeModelList, one: encodeModel };

const shapes: Readonly<Record<FormatName, ModelShape>> = {
  "chat-completions": superset,
  responses: superset,
  messages: superset,
  "generate-content": { list: encodeGenerateContentModelList, one: encodeGenerateContentModel },
};

/** Every model that an upstream serves to the caller's group by name; of a pattern, what is known to match it. */
function visibleModels(caller: Caller, { gateway, models }: ModelSource): ModelCard[] {
  const known = new Map(models().map((model) => [model.id, model]));
  const served = gateway.upstreams()
    .filter((upstream) => upstream.enabled && servesGroup(upstream, caller.group.id))
    .flatMap((upstream) => upstream.models.flatMap(({ id }) => servedNames(id, known.keys())));
  return [...new Set(served)].filter((id) => mayUseModel(caller, id)).sort()
    .map((id) => cardOf(id, formatsOf(caller), known.get(id)));
}

/** Any model answers in any format; the group alone says which may be called. */
function formatsOf({ group }: Caller): readonly FormatName[] {
  return group.formats.includes("*")
    ? formatNames
    : formatNames.filter((name) => group.formats.includes(name));
}

/** What a model's record leaves unsaid, the catalog fills in. */
function cardOf(id: string, formats: readonly FormatName[], model?: Model): ModelCard {
  const facts = catalogModel(id);
  const contextWindow = model?.contextWindow ?? facts?.contextWindow;
  const maxOutputTokens = model?.maxOutputTokens ?? facts?.maxOutputTokens;
  return {
    id,
    displayName: model?.displayName ?? facts?.displayName ?? id,
    createdAtMs: model?.createdAtMs ?? 0,
    ownedBy: model?.ownedBy ?? facts?.ownedBy ?? "tessera",
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    formats,
  };
}
