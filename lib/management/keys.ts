import { z } from "zod";
import type { ApiKeyDraft, IssuedApiKey } from "../accounts/mod.ts";
import { faults as allFaults } from "../admin/faults.ts";
import {
  changeKey,
  createKey,
  removeKey,
  rotateKey,
  setKeyEnabled,
} from "../admin/keys/key_changes.ts";
import {
  addressList,
  alertPercents,
  expiryFrom,
  groupAmong,
  keyMetadata,
  keyModels,
  keyName,
} from "../admin/keys/key_rules.ts";
import { type ApiKey, getApiKey, listApiKeys } from "../store/api_keys/mod.ts";
import { listGroups } from "../store/catalog/mod.ts";
import { getUser } from "../store/users/mod.ts";
import { boundsInput, changedBounds, changedOrKept } from "./bounds.ts";
import { changeConflicts, invalidField, ManagementError, notFound } from "./http/error.ts";
import {
  type ApiOperation,
  type ApiReply,
  assertCurrent,
  currentCheck,
  type ManagementCall,
  operation,
  switches,
} from "./http/operation.ts";
import { creationOrder, listSchema, pageQuery, pageReply } from "./http/page.ts";
import { idInput, timeInput } from "./http/schema.ts";
import { keyAnswer, keyJson, keyWithSecret } from "./key_json.ts";

const { key: faults } = allFaults;

const settings = {
  expires_at: timeInput.nullable().optional(),
  models: keyModels.nullable().optional(),
  ip_allow_list: addressList.nullable().optional(),
  ...boundsInput,
  alert_percents: alertPercents.nullable().optional(),
  metadata: keyMetadata.optional().describe("Replaces all entries"),
};
const keyChange = z.strictObject({
  name: keyName.optional(),
  group: idInput.optional(),
  ...settings,
});
const newKey = z.strictObject({
  name: keyName,
  group: idInput.default("default"),
  user_id: idInput.optional().describe("Default: the administrator that the token belongs to"),
  enabled: z.boolean().default(true),
  ...settings,
});
const rotation = z.strictObject({
  grace_seconds: z.int().min(0).max(7 * 86_400).default(86_400)
    .describe("The time for which the old secret stays valid"),
});
const filters = pageQuery.extend({
  user_id: idInput.optional(),
  group: idInput.optional(),
});

async function replyWith(
  apiKey: ApiKey,
  call: ManagementCall,
): Promise<ApiReply<z.input<typeof keyAnswer>>> {
  return { body: await keyJson(apiKey, call), record: apiKey };
}

async function replyWithSecret(
  { apiKey, secret }: IssuedApiKey,
  call: ManagementCall,
): Promise<ApiReply<z.input<typeof keyWithSecret>>> {
  return { body: { ...await keyJson(apiKey, call), secret }, record: apiKey };
}

async function keyAt({ params: { id }, state }: ManagementCall): Promise<ApiKey> {
  const apiKey = await getApiKey(state.services.store, id);
  return apiKey ?? gone(id);
}

function gone(id: string): never {
  throw notFound("API key", id);
}

function taken(): never {
  throw new ManagementError("already_exists", "The account has a key of this name", {
    param: "name",
  });
}

/** Throws `invalid_request` with the sentence of a rule that the field breaks. */
function assertRule(rule: z.ZodType, value: unknown, param: string): void {
  const parsed = rule.safeParse(value);
  if (parsed.success) return;
  const fault = parsed.error.issues[0].message as keyof typeof faults; // every rule's message is one
  throw invalidField(param, faults[fault]);
}

/** The rules that need the store or the clock. */
async function assertFits(
  { state: { services: { store }, nowMs } }: ManagementCall,
  { group, expires_at }: { readonly group?: string; readonly expires_at?: number | null },
): Promise<void> {
  if (group !== undefined) {
    const groupIds = (await listGroups(store)).map(({ id }) => id);
    assertRule(groupAmong(groupIds), group, "group");
  }
  if (typeof expires_at === "number") assertRule(expiryFrom(nowMs), expires_at, "expires_at");
}

type KeyChange = z.output<typeof keyChange>;

function changedSettings(
  current: Partial<ApiKey>,
  change: KeyChange,
): Omit<ApiKeyDraft, "accountId" | "name" | "groupId" | "enabled"> {
  return {
    expiresAtMs: changedOrKept(change.expires_at, current.expiresAtMs),
    models: listOrNone(changedOrKept(change.models, current.models)),
    ipAllowList: listOrNone(changedOrKept(change.ip_allow_list, current.ipAllowList)),
    alertPercents: listOrNone(changedOrKept(change.alert_percents, current.alertPercents)),
    metadata: change.metadata ?? current.metadata,
    ...changedBounds(current, change),
  };
}

/** An empty list is none, as in the console. */
function listOrNone<Item>(list: readonly Item[] | undefined): readonly Item[] | undefined {
  return list?.length === 0 ? undefined : list;
}

async function create(call: ManagementCall<unknown, z.output<typeof newKey>>) {
  const { body, state: { services: { store }, account } } = call;
  const { name, group, user_id = account.user.id, enabled } = body;
  await assertFits(call, body);
  if (await getUser(store, user_id) === undefined) {
    throw invalidField("user_id", `no user has the ID ${user_id.slice(0, 100)}`);
  }
  const draft = { accountId: user_id, name, groupId: group, enabled, ...changedSettings({}, body) };
  const issued = await createKey(call, draft);
  if (issued === "nameTaken") return taken();
  if (issued !== "keysFull") return await replyWithSecret(issued, call);
  throw new ManagementError("invalid_request", "The account has the maximum number of keys");
}

async function change(call: ManagementCall<unknown, KeyChange>) {
  const apiKey = await keyAt(call);
  const { name, group, ...settings } = call.body;
  await assertFits(call, call.body);
  const changed = await changeKey(call, apiKey, (current) => {
    assertCurrent(call, current);
    const { name: formerName, groupId } = current;
    const own = { name: name ?? formerName, groupId: group ?? groupId };
    return { ...current, ...changedSettings(current, settings), ...own };
  });
  if (changed === "taken") return taken();
  return await replyWith(changed ?? gone(apiKey.id), call);
}

async function setEnabled(call: ManagementCall, enabled: boolean) {
  const apiKey = await keyAt(call);
  const changed = await setKeyEnabled(call, apiKey, { enabled, check: currentCheck(call) });
  return await replyWith(changed ?? gone(apiKey.id), call);
}

async function rotate(call: ManagementCall<unknown, z.output<typeof rotation>>) {
  const apiKey = await keyAt(call);
  const { grace_seconds: seconds } = call.body;
  const rotated = await rotateKey(call, apiKey, {
    graceMs: seconds * 1_000,
    grace: seconds === 0 ? "now" : `${seconds}s`,
    check: currentCheck(call),
  });
  return await replyWithSecret(rotated ?? gone(apiKey.id), call);
}

async function remove(call: ManagementCall): Promise<void> {
  const apiKey = await keyAt(call);
  if (!await removeKey(call, apiKey, currentCheck(call))) gone(apiKey.id);
}

async function list(call: ManagementCall<z.output<typeof filters>>) {
  const { query: { user_id, group }, state: { services: { store } } } = call;
  const all = await listApiKeys(store, { accountId: user_id });
  const found = all.filter(({ groupId }) => group === undefined || groupId === group);
  return await pageReply(found, creationOrder, call, (one) => keyJson(one, call));
}

const read = "keys:read";
const write = "keys:write";

/** The operations of API keys. */
export const keyOperations: readonly ApiOperation[] = [
  operation("GET /keys", {
    summary: "List API keys, newest first",
    scope: read,
    query: filters,
    answer: listSchema(keyAnswer),
  }, list),
  operation("POST /keys", {
    summary: "Create an API key",
    scope: write,
    body: newKey,
    answer: keyWithSecret,
    status: 201,
    errors: ["already_exists"],
    faults,
  }, create),
  operation("GET /keys/{id}", {
    summary: "An API key",
    scope: read,
    answer: keyAnswer,
  }, async (call) => await replyWith(await keyAt(call), call)),
  operation("PATCH /keys/{id}", {
    summary: "Change the given fields of an API key",
    scope: write,
    body: keyChange,
    answer: keyAnswer,
    errors: ["already_exists", ...changeConflicts],
    faults,
  }, change),
  operation("DELETE /keys/{id}", {
    summary: "Delete an API key",
    scope: write,
    errors: changeConflicts,
  }, remove),
  operation("POST /keys/{id}/rotate", {
    summary: "Give an API key a new secret",
    scope: write,
    body: rotation,
    answer: keyWithSecret,
    errors: changeConflicts,
  }, rotate),
  ...switches("/keys/{id}", {
    summaries: { enable: "Enable an API key", disable: "Disable an API key" },
    scope: write,
    answer: keyAnswer,
    errors: changeConflicts,
  }, setEnabled),
];
