import { z } from "zod";
import { invite, revokeInvitation, roles, spendings } from "../admin/users.ts";
import { getInvitation, type Invitation, listInvitations } from "../store/users/mod.ts";
import { ManagementError, notFound } from "./http/error.ts";
import { emailInput, named, timeAnswer, timeText } from "./http/schema.ts";
import { type ApiOperation, type ManagementCall, operation } from "./http/operation.ts";
import { cursorPage, listSchema, pageQuery } from "./http/page.ts";
import { assertMayMakeAdministrators, emailError } from "./users.ts";

const invitationFields = {
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  spending: z.enum(spendings),
  created_by: z.string().describe("The ID of an administrator"),
  expires_at: timeAnswer,
};
const invitation = named("Invitation", z.object(invitationFields));
const invitationWithUrl = named(
  "InvitationWithUrl",
  z.object({ ...invitationFields, url: z.string().describe("Shown only in this answer") }),
);
const newInvitation = z.strictObject({
  email: emailInput,
  role: z.enum(roles).default("member"),
  spending: z.enum(spendings).default("prepaid"),
});

/** The id is the digest of the link's secret, which it does not reveal. */
function invitationView(one: Invitation): z.input<typeof invitation> {
  return {
    id: one.digest,
    email: one.email,
    role: one.role,
    spending: one.spending,
    created_by: one.createdBy,
    expires_at: timeText(one.expiresAtMs),
  };
}

async function invitationAt({ params: { id }, state }: ManagementCall): Promise<Invitation> {
  const found = await getInvitation(state.services.store, id);
  if (found === undefined || found.expiresAtMs <= state.nowMs) throw notFound("invitation", id);
  return found;
}

async function create(call: ManagementCall<unknown, z.output<typeof newInvitation>>) {
  assertMayMakeAdministrators(call, call.body);
  const result = await invite(call, call.body);
  if (result.type === "invalid") throw emailError(result.fault);
  if (result.type !== "issued") throw new ManagementError("scope_missing", "Not an administrator");
  const record = { ...result.invitation };
  const body = { ...invitationView(record), url: `${call.origin}/invitation/${result.token}` };
  return { body, record };
}

async function list(call: ManagementCall<z.output<typeof pageQuery>>) {
  const { services: { store }, nowMs } = call.state;
  const valid = (await listInvitations(store)).filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  const { rows, next_cursor } = await cursorPage(
    valid,
    ({ email, digest }) => `${email} ${digest}`,
    call,
  );
  return { body: { data: rows.map(invitationView), next_cursor } };
}

/** The operations of invitations. */
export const invitationOperations: readonly ApiOperation[] = [
  operation({
    method: "GET",
    path: "/invitations",
    summary: "List the open invitations, by e-mail address",
    scope: "users:read",
    query: pageQuery,
    answer: listSchema(invitation),
  }, list),
  operation({
    method: "POST",
    path: "/invitations",
    summary: "Invite a user; the link is shown once",
    scope: "users:write",
    body: newInvitation,
    answer: invitationWithUrl,
    status: 201,
    errors: ["already_exists"],
  }, create),
  operation({
    method: "GET",
    path: "/invitations/{id}",
    summary: "An open invitation",
    scope: "users:read",
    answer: invitation,
  }, async (call) => {
    const record = await invitationAt(call);
    return { body: invitationView(record), record };
  }),
  operation({
    method: "DELETE",
    path: "/invitations/{id}",
    summary: "Revoke an invitation",
    scope: "users:write",
  }, async (call) => {
    if (await revokeInvitation(call, await invitationAt(call))) return;
    throw notFound("invitation", call.params.id);
  }),
];
