import { z } from "zod";
import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import type { Operation } from "../formats/wire.ts";
import { readShape } from "../formats/mod.ts";
import { admissionOf, type GatewayDeps, type IdentifiedCall } from "../gateway.ts";
import { readJsonBody } from "../http/body/json_body.ts";
import type { Call } from "../http/call.ts";
import {
  addItems,
  beginConversation,
  describeConversation,
  endConversation,
  gatheredItem,
  gatheredPart,
  itemQueryOf,
  itemsAtOnceMax,
  listBody,
  ownConversation,
  type Owner,
  removeItem,
} from "../responses_state/mod.ts";
import type { Conversation } from "../store/responses/mod.ts";
import { answerStateful } from "./answer.ts";

const membersMax = 16;
const nameCharsMax = 64;
const valueCharsMax = 512;
const itemsText = `must be a list of at most ${itemsAtOnceMax} items`;
const metadataText =
  `must be an object of at most ${membersMax} strings, with names of at most ${nameCharsMax} and values of at most ${valueCharsMax} characters`;

const metadataSchema = z.record(
  z.string().max(nameCharsMax, metadataText),
  z.string(metadataText).max(valueCharsMax, metadataText),
  metadataText,
).refine((metadata) => Object.keys(metadata).length <= membersMax, metadataText);
const itemsSchema = z.array(z.looseObject({}, itemsText), itemsText).max(itemsAtOnceMax, itemsText);

const createSchema = z.looseObject({
  items: itemsSchema.nullish(),
  metadata: metadataSchema.nullish(),
});
const updateSchema = z.looseObject({ metadata: metadataSchema.nullish() });
const addSchema = z.looseObject({ items: itemsSchema.min(1, itemsText) });

/** The schemas of the bodies of the conversation operations. */
export const conversationBodies = {
  "create-conversation": createSchema,
  "update-conversation": updateSchema,
  "create-conversation-items": addSchema,
} as const satisfies Partial<Record<Operation, z.ZodType>>;

/** `POST /v1/conversations`. */
export function createConversation(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerStateful(call, gateway, async (owner, _id, caller) => {
    const { items, metadata } = await bodyOf({ call, caller, gateway }, createSchema);
    const begun = {
      items: checkedItems(call, owner, (items ?? []) as JsonObject[]), // sound: parsed from JSON
      metadata: metadata ?? {},
    };
    return wireOf(await beginConversation(gateway.state, owner, begun));
  });
}

/** `GET /v1/conversations/{id}`. */
export function answerConversation(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerStateful(
    call,
    gateway,
    async (owner, id) => wireOf(await ownConversation(gateway.state, owner, id)),
  );
}

/** `POST /v1/conversations/{id}`: replaces the `metadata`. */
export function updateConversation(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerStateful(call, gateway, async (owner, id, caller) => {
    const { metadata } = await bodyOf({ call, caller, gateway }, updateSchema);
    const described = { id, metadata: metadata ?? {} };
    return wireOf(await describeConversation(gateway.state, owner, described));
  });
}

/** `DELETE /v1/conversations/{id}`. */
export function removeConversation(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerStateful(call, gateway, async (owner, id) => {
    await endConversation(gateway.state, owner, id);
    return { id, object: "conversation.deleted", deleted: true };
  });
}

/** `POST /v1/conversations/{id}/items`: answers with the added items. */
export function createConversationItems(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerStateful(call, gateway, async (owner, id, caller) => {
    const { items } = await bodyOf({ call, caller, gateway }, addSchema);
    const added = await addItems(gateway.state, owner, {
      id,
      items: checkedItems(call, owner, items as JsonObject[]), // sound: parsed from JSON
    });
    return listBody(owner.state, { entries: added, hasMore: false });
  });
}

/** `GET /v1/conversations/{id}/items`, paged. */
export function listConversationItems(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerStateful(call, gateway, async (owner, id) => {
    const query = itemQueryOf(call.url);
    return listBody(owner.state, await gatheredPart(gateway.state, owner, { id, query }));
  });
}

/** `GET /v1/conversations/{id}/items/{item}`. */
export function getConversationItem(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerStateful(call, gateway, async (owner, id) => {
    const itemId = call.item ?? "";
    const { item } = await gatheredItem(gateway.state, owner, { id, itemId });
    return owner.state.listed(item, itemId);
  });
}

/** `DELETE /v1/conversations/{id}/items/{item}`: answers with the conversation. */
export function deleteConversationItem(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerStateful(call, gateway, async (owner, id) => {
    await removeItem(gateway.state, owner, { id, itemId: call.item ?? "" });
    return wireOf(await ownConversation(gateway.state, owner, id));
  });
}

/** Validates items like those of a request: one unreadable item would break the conversation. */
function checkedItems(
  { codec }: Call,
  { state }: Owner,
  items: readonly JsonObject[],
): readonly JsonObject[] {
  const wire = { path: "", search: {}, headers: {}, body: { model: "any", input: items } };
  codec.decodeRequest(wire);
  if (items.every((item) => state.referenceIn(item) === undefined)) return items;
  throw new GatewayError(
    "invalid_request",
    "Cannot add items: send the whole items instead of references",
    {
      param: "items",
    },
  );
}

async function bodyOf<Schema extends z.ZodType>(
  called: IdentifiedCall,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const { call, gateway } = called;
  const { body: value } = await readJsonBody(call.request, gateway.limits, admissionOf(called));
  return readShape(schema, value);
}

function wireOf({ id, createdAtMs, metadata }: Conversation): JsonObject {
  return {
    id,
    object: "conversation",
    created_at: Math.floor(createdAtMs / 1000),
    metadata: { ...metadata },
  };
}
