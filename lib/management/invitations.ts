import { z } from "zod";
import { mailLink } from "../admin/mail.ts";
import { invite, revokeInvitation, roles, spendings } from "../admin/users.ts";
import { getInvitation, type Invitation, listInvitations } from "../store/users/mod.ts";
import { ManagementError, notFound } from "./http/error.ts";
import { type ApiOperation, type ManagementCall, operation } from "./http/operation.ts";
import { listSchema, pageQuery, pageReply } from "./http/page.ts";
import { emailInput, namedObject, timeAnswer, timeText } from "./http/schema.ts";
import { assertMayMakeAdministrators, emailError } from "./users.ts";

const invitationFields = {
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  spending: z.enum(spendings),
  created_by: z.string().describe("The ID of an administrator"),
  expires_at: timeAnswer,
};
const invitation = namedObject("Invitation", invitationFields);
const invitationWithUrl = namedObject("InvitationWithUrl", {
  ...invitationFields,
  url: z.string().describe("Shown only in this answer"),
  mailed: z.boolean().describe("True if an e-mail with the link is on its way"),
});
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
  const url = `${call.origin}/invitation/${result.token}`;
  const { email: to, expiresAtMs } = record;
  const mailed = await mailLink(call, {
    type: "invitation",
    url,
    to,
    expiresAtMs,
    locale: undefined,
  });
  const body = { ...invitationView(record), url, mailed };
  return { body, record };
}

async function list(call: ManagementCall<z.output<typeof pageQuery>>) {
  const { services: { store }, nowMs } = call.state;
  const valid = (await listInvitations(store)).filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  const order = ({ email, digest }: Invitation) => `${email} ${digest}`;
  return await pageReply(valid, order, call, invitationView);
}

/** The operations of invitations. */
export const invitationOperations: readonly ApiOperation[] = [
  operation("GET /invitations", {
    summary: "List the open invitations, by e-mail address",
    scope: "users:read",
    query: pageQuery,
    answer: listSchema(invitation),
  }, list),
  operation("POST /invitations", {
    summary: "Invite a user; the link is shown once",
    scope: "users:write",
    body: newInvitation,
    answer: invitationWithUrl,
    status: 201,
    errors: ["already_exists"],
  }, create),
  operation("GET /invitations/{id}", {
    summary: "An open invitation",
    scope: "users:read",
    answer: invitation,
  }, async (call) => {
    const record = await invitationAt(call);
    return { body: invitationView(record), record };
  }),
  operation("DELETE /invitations/{id}", {
    summary: "Revoke an invitation",
    scope: "users:write",
  }, async (call) => {
    if (await revokeInvitation(call, await invitationAt(call))) return;
    throw notFound("invitation", call.params.id);
  }),
];
