import { z } from "zod";
import { adminScopes, covers, excessOf } from "../accounts/mod.ts";
import { faults as allFaults } from "../admin/faults.ts";
import { addressList, expiryFrom, keyName } from "../admin/keys/key_rules.ts";
import { shownSecret } from "../admin/keys/key_status.ts";
import { createToken, revokeToken, tokenScopes } from "../admin/tokens.ts";
import { type AdminToken, getAdminToken, listAdminTokens } from "../store/admin_tokens/mod.ts";
import { invalidField, ManagementError, notFound } from "./http/error.ts";
import {
  type ApiOperation,
  currentCheck,
  type ManagementCall,
  operation,
} from "./http/operation.ts";
import { creationOrder, listSchema, pageQuery, pageReply } from "./http/page.ts";
import { namedObject, optionalTime, timeAnswer, timeInput, timeText } from "./http/schema.ts";

const { token: faults } = allFaults;

const tokenShape = {
  id: z.string(),
  name: z.string(),
  user_id: z.string().describe("The administrator that the token acts for"),
  parent_id: z.string().nullable()
    .describe("The token that created this one; null: created in the console"),
  scopes: z.array(z.string()),
  secret_hint: z.string().describe("The beginning and the end of the secret"),
  expires_at: timeAnswer.nullable(),
  ip_allow_list: z.array(z.string()).nullable().describe("Null: any address"),
  created_at: timeAnswer,
  last_used_at: timeAnswer.nullable(),
};
const token = namedObject("Token", tokenShape);
const tokenWithSecret = namedObject("TokenWithSecret", {
  ...tokenShape,
  secret: z.string().describe("Shown only in this answer"),
});

const newToken = z.strictObject({
  name: keyName,
  scopes: tokenScopes.describe(`Any of ${adminScopes.join(", ")}; \`write\` includes \`read\``),
  expires_at: timeInput.nullable().optional().describe("Default: that of the calling token"),
  ip_allow_list: addressList.nullable().optional()
    .describe("Default: that of the calling token"),
});

function tokenView(one: AdminToken): z.input<typeof token> {
  return {
    id: one.id,
    name: one.name,
    user_id: one.userId,
    parent_id: one.parentId ?? null,
    scopes: [...one.scopes],
    secret_hint: shownSecret(one),
    expires_at: optionalTime(one.expiresAtMs),
    ip_allow_list: one.ipAllowList ? [...one.ipAllowList] : null,
    created_at: timeText(one.createdAtMs),
    last_used_at: optionalTime(one.lastUsedAtMs),
  };
}

async function tokenAt({ params: { id }, state }: ManagementCall): Promise<AdminToken> {
  const found = await getAdminToken(state.services.store, id);
  if (found === undefined) throw notFound("API token", id);
  return found;
}

const params = {
  scopes: "scopes",
  expiresAtMs: "expires_at",
  ipAllowList: "ip_allow_list",
} as const;

async function create(call: ManagementCall<unknown, z.output<typeof newToken>>) {
  const { body: { name, scopes, expires_at, ip_allow_list }, state } = call;
  const { account: { token: maker }, nowMs } = state;
  const { expiresAtMs, ipAllowList } = maker;
  if (typeof expires_at === "number" && !expiryFrom(nowMs).safeParse(expires_at).success) {
    throw invalidField("expires_at", faults.date);
  }
  const addresses = ip_allow_list?.length === 0 ? null : ip_allow_list;
  const settings = {
    name,
    scopes,
    expiresAtMs: expires_at === undefined ? expiresAtMs : expires_at ?? undefined,
    ipAllowList: addresses === undefined ? ipAllowList : addresses ?? undefined,
  };
  const excess = excessOf(settings, maker);
  if (excess !== undefined) throw exceeds(params[excess.field], excess.value);
  const { token: made, secret } = await createToken(call, { ...settings, parentId: maker.id });
  return { body: { ...tokenView(made), secret }, record: made };
}

function exceeds(param: string, value: string | undefined): ManagementError {
  const what = value === undefined ? param : `the scope ${value}`;
  const message = `An API token cannot give more than it has: ${what}`;
  return new ManagementError("scope_missing", message, { param });
}

async function revoke(call: ManagementCall): Promise<void> {
  const found = await tokenAt(call);
  const { scopes } = call.state.account.token;
  const wider = found.scopes.find((scope) => !covers(scopes, scope));
  if (wider !== undefined) {
    const message = `An API token revokes only tokens of scopes that it has; it lacks ${wider}`;
    throw new ManagementError("scope_missing", message);
  }
  if (await revokeToken(call, found, currentCheck(call))) return;
  throw notFound("API token", found.id);
}

const read = "tokens:read";
const write = "tokens:write";

/** The operations of API tokens. */
export const tokenOperations: readonly ApiOperation[] = [
  operation("GET /tokens", {
    summary: "List API tokens, newest first",
    scope: read,
    query: pageQuery,
    answer: listSchema(token),
  }, async (call) => {
    const all = await listAdminTokens(call.state.services.store);
    return await pageReply(all, creationOrder, call, tokenView);
  }),
  operation("POST /tokens", {
    summary: "Create an API token, with at most the rights of the calling one",
    scope: write,
    body: newToken,
    answer: tokenWithSecret,
    status: 201,
    faults,
  }, create),
  operation(
    "GET /tokens/current",
    { summary: "The calling API token", answer: token },
    ({ state: { account } }) =>
      Promise.resolve({ body: tokenView(account.token), record: account.token }),
  ),
  operation("GET /tokens/{id}", {
    summary: "An API token",
    scope: read,
    answer: token,
  }, async (call) => {
    const found = await tokenAt(call);
    return { body: tokenView(found), record: found };
  }),
  operation("DELETE /tokens/{id}", {
    summary: "Revoke an API token with all that it created",
    scope: write,
    errors: ["concurrent_changes", "object_changed"],
  }, revoke),
];
