import { z } from "zod";
import {
  covers,
  newAccount,
  passwordLinkLifetimeMs,
  roles,
  scopeForRole,
} from "../accounts/mod.ts";
import { faults as allFaults } from "../admin/faults.ts";
import { mailLink } from "../admin/mail.ts";
import {
  changeUser,
  createAccount,
  deleteAccount,
  fixedFor,
  makePasswordLink,
  resetSecondSteps,
  setUserEnabled,
  signOutEverywhere,
  spendings,
} from "../admin/users.ts";
import { getLastSeen, getUser, listUsers, type User } from "../store/users/mod.ts";
import { boundsAnswer, boundsInput, boundsView, changedBounds } from "./bounds.ts";
import { changeConflicts, ManagementError, notFound } from "./http/error.ts";
import {
  type ApiOperation,
  type ApiReply,
  assertCurrent,
  type ManagementCall,
  operation,
  switches,
} from "./http/operation.ts";
import { creationOrder, listSchema, pageQuery, pageReply } from "./http/page.ts";
import { emailInput, namedObject, optionalTime, timeAnswer, timeText } from "./http/schema.ts";

const { key: faults } = allFaults;

const user = namedObject("User", {
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  enabled: z.boolean().describe("If false, neither the user nor the user's keys have access"),
  spending: z.enum(spendings)
    .describe("`prepaid` needs money in the wallet; `unlimited` is only recorded"),
  ...boundsAnswer,
  project_id: z.string().nullable().describe("Null: a project of one"),
  created_at: timeAnswer,
  last_seen_at: timeAnswer.nullable(),
});

const role = z.enum(roles);
const spending = z.enum(spendings);
const newUser = z.strictObject({
  email: emailInput,
  role: role.default("member"),
  spending: spending.default("prepaid"),
  ...boundsInput,
});
const userChange = z.strictObject({
  role: role.optional(),
  spending: spending.optional(),
  ...boundsInput,
});
const link = z.object({
  url: z.string(),
  expires_at: timeAnswer,
  mailed: z.boolean().describe("True if an e-mail with the link is on its way"),
});
const filters = pageQuery.extend({
  email: z.string().min(1).max(254).optional().describe("The whole address"),
  role: role.optional(),
});

async function replyWith(record: User, call: ManagementCall): Promise<ApiReply<UserView>> {
  return { body: await userView(record, call), record: withoutPassword(record) };
}

type UserView = z.input<typeof user>;

async function userView(one: User, { state }: ManagementCall): Promise<UserView> {
  return {
    id: one.id,
    email: one.email,
    role: one.role,
    enabled: one.enabled,
    spending: one.spending,
    ...boundsView(one),
    project_id: one.projectId ?? null,
    created_at: timeText(one.createdAtMs),
    last_seen_at: optionalTime(await getLastSeen(state.services.store, one.id)),
  };
}

/** A user who changes the password does not change what the API shows. */
function withoutPassword({ passwordHash: _, ...shown }: User): object {
  return shown;
}

/** Throws `object_changed` unless the user is the one of `If-Match`. */
function assertSame(call: ManagementCall, current: User): void {
  assertCurrent(call, withoutPassword(current));
}

async function userAt({ params: { id }, state }: ManagementCall): Promise<User> {
  return await getUser(state.services.store, id) ?? gone(id);
}

/** Checks the record that a commit replaces: its user may have been promoted meanwhile. */
function assertMayReplace(call: ManagementCall, current: User, wanted?: Pick<User, "role">): void {
  assertMayMakeAdministrators(call, current, wanted ?? current);
  assertSame(call, current);
}

function gone(id: string): never {
  throw notFound("user", id);
}

/** The user of the path, whose role and status may be changed. Throws `object_protected`. */
async function changeableUser(call: ManagementCall): Promise<User> {
  const found = await userAt(call);
  const fixed = fixedFor(found, call.state);
  if (fixed === undefined) return found;
  const reason = fixed === "first"
    ? "the first administrator stays"
    : "the API token belongs to this user";
  throw new ManagementError("object_protected", `Cannot change user ${found.id}: ${reason}`);
}

/**
 * Throws `scope_missing` for a change that makes or affects administrators, unless the caller's
 * token has all their rights.
 */
export function assertMayMakeAdministrators(
  { state: { account } }: ManagementCall,
  ...affected: readonly Pick<User, "role">[]
): void {
  if (affected.every((one) => covers(account.token.scopes, scopeForRole[one.role]))) return;
  throw new ManagementError(
    "scope_missing",
    "The API token lacks the scope *, which changes of administrators and of their sign-in need",
  );
}

/** The error of an address that is malformed or has an account. */
export function emailError(fault: "email" | "taken"): ManagementError {
  const code = fault === "taken" ? "already_exists" : "invalid_request";
  const message = `email: ${allFaults.user[fault]}`;
  return new ManagementError(code, message, { param: "email" });
}

async function create(call: ManagementCall<unknown, z.output<typeof newUser>>) {
  const { email, role, spending, ...bounds } = call.body;
  assertMayMakeAdministrators(call, { role });
  const draft = newAccount(
    { email, role, spending, ...changedBounds({}, bounds) },
    call.state.nowMs,
  );
  if (draft === undefined) throw emailError("email");
  if (await createAccount(call, draft) === "taken") throw emailError("taken");
  return await replyWith(draft, call);
}

async function change(call: ManagementCall<unknown, z.output<typeof userChange>>) {
  const found = await userAt(call);
  const { role, spending, ...bounds } = call.body;
  if (role !== undefined && role !== found.role) await changeableUser(call);
  const changed = await changeUser(call, found, (current) => {
    assertMayReplace(call, current, { role: role ?? current.role });
    return {
      ...current,
      role: role ?? current.role,
      spending: spending ?? current.spending,
      ...changedBounds(current, bounds),
    };
  });
  return await replyWith(changed ?? gone(found.id), call);
}

async function setEnabled(call: ManagementCall, enabled: boolean) {
  const found = await changeableUser(call);
  assertMayMakeAdministrators(call, found);
  const check = (current: User) => assertMayReplace(call, current);
  return await replyWith(
    await setUserEnabled(call, found, { enabled, check }) ?? gone(found.id),
    call,
  );
}

async function remove(call: ManagementCall): Promise<void> {
  const found = await changeableUser(call);
  assertMayMakeAdministrators(call, found);
  if (await deleteAccount(call, found, (current) => assertMayReplace(call, current))) return;
  gone(found.id);
}

async function createLink(call: ManagementCall) {
  const found = await userAt(call);
  assertMayMakeAdministrators(call, found);
  assertSame(call, found);
  const url = `${call.origin}/password/${await makePasswordLink(call, found)}`;
  const expiresAtMs = call.state.nowMs + passwordLinkLifetimeMs;
  const { email: to, mail: { locale } = {} } = found;
  const mailed = await mailLink(call, { type: "password", url, to, expiresAtMs, locale });
  return { body: { url, expires_at: timeText(expiresAtMs), mailed } };
}

async function signOut(call: ManagementCall): Promise<void> {
  const found = await userAt(call);
  assertMayMakeAdministrators(call, found);
  assertSame(call, found);
  await signOutEverywhere(call, found);
}

async function resetSteps(call: ManagementCall): Promise<void> {
  const found = await userAt(call);
  assertMayMakeAdministrators(call, found);
  assertSame(call, found);
  await resetSecondSteps(call, found);
}

async function list(call: ManagementCall<z.output<typeof filters>>) {
  const { query: { email, role } } = call;
  const found = (await listUsers(call.state.services.store)).filter((one) =>
    (email === undefined || one.email === email.toLowerCase()) &&
    (role === undefined || one.role === role)
  );
  return await pageReply(found, creationOrder, call, (one) => userView(one, call));
}

const read = "users:read";
const write = "users:write";

/** The operations of users. */
export const userOperations: readonly ApiOperation[] = [
  operation("GET /users", {
    summary: "List users, newest first",
    scope: read,
    query: filters,
    answer: listSchema(user),
  }, list),
  operation("POST /users", {
    summary: "Create a user without a password, who signs in after a password link",
    scope: write,
    body: newUser,
    answer: user,
    status: 201,
    errors: ["already_exists"],
    faults,
  }, create),
  operation("GET /users/{id}", {
    summary: "A user",
    scope: read,
    answer: user,
  }, async (call) => replyWith(await userAt(call), call)),
  operation("PATCH /users/{id}", {
    summary: "Change the given fields of a user",
    scope: write,
    body: userChange,
    answer: user,
    errors: changeConflicts,
    faults,
  }, change),
  operation("DELETE /users/{id}", {
    summary: "Delete a user with all keys, tokens and sessions",
    scope: write,
    errors: changeConflicts,
  }, remove),
  ...switches("/users/{id}", {
    summaries: {
      enable: "Enable a user",
      disable: "Disable a user, and end the user's sessions",
    },
    scope: write,
    answer: user,
    errors: changeConflicts,
  }, setEnabled),
  operation("POST /users/{id}/password-link", {
    summary: "Create a link with which the user sets a password, within a day",
    scope: write,
    answer: link,
    status: 201,
    errors: ["object_changed"],
  }, createLink),
  operation("POST /users/{id}/sign-out", {
    summary: "End all sessions of a user",
    scope: write,
    errors: ["object_changed"],
  }, signOut),
  operation("POST /users/{id}/reset-second-step", {
    summary: "Remove a user's one-time codes and passkeys, and end all sessions",
    scope: write,
    errors: ["object_changed"],
  }, resetSteps),
];
