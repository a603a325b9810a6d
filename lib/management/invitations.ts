import { z } from "zod";
import { covers, creditScope, roles } from "../accounts/mod.ts";
import { faults as allFaults } from "../admin/faults.ts";
import { mailLink } from "../admin/mail.ts";
import { invite, revokeInvitation, spendings, startsEmpty } from "../admin/users.ts";
import { entryNanoUsdMax } from "../funds/mod.ts";
import { getGroup } from "../store/catalog/mod.ts";
import { getProject } from "../store/projects/mod.ts";
import {
  getInvitation,
  type Invitation,
  type InvitedSettings,
  listInvitations,
} from "../store/users/mod.ts";
import { boundsAnswer, boundsInput, boundsView, changedBounds } from "./bounds.ts";
import { invalidField, ManagementError, notFound } from "./http/error.ts";
import { type ApiOperation, type ManagementCall, operation } from "./http/operation.ts";
import { listSchema, pageQuery, pageReply } from "./http/page.ts";
import {
  emailInput,
  idInput,
  moneyAnswer,
  moneyInput,
  moneyText,
  namedObject,
  timeAnswer,
  timeText,
} from "./http/schema.ts";
import { assertMayMakeAdministrators, emailError } from "./users.ts";

const { user: faults } = allFaults;

const invitationFields = {
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  spending: z.enum(spendings),
  project_id: z.string().nullable().describe("The project that the user joins"),
  group: z.string().nullable()
    .describe("The group that the user's keys get first; null: the default group"),
  starting_credit: moneyAnswer.nullable(),
  ...boundsAnswer,
  warning: z.string().nullable().describe("Set if the user's first call will be refused"),
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
  project_id: idInput.optional(),
  group: idInput.optional(),
  starting_credit: moneyInput.optional()
    .describe("The balance of a prepaid user at the start; needs the scope `wallets:write`"),
  ...boundsInput,
});
type NewInvitation = z.output<typeof newInvitation>;

const emptyWarning = "The account starts with $0: its calls are refused until it gets credit. " +
  "Set starting_credit, or spending to unlimited";

/** The id is the digest of the link's secret, which it does not reveal. */
function invitationView(one: Invitation): z.input<typeof invitation> {
  return {
    id: one.digest,
    email: one.email,
    role: one.role,
    spending: one.spending,
    project_id: one.projectId ?? null,
    group: one.groupId ?? null,
    starting_credit: one.creditNanoUsd === undefined ? null : moneyText(one.creditNanoUsd),
    ...boundsView(one),
    warning: startsEmpty(one) ? emptyWarning : null,
    created_by: one.createdBy,
    expires_at: timeText(one.expiresAtMs),
  };
}

async function invitationAt({ params: { id }, state }: ManagementCall): Promise<Invitation> {
  const found = await getInvitation(state.services.store, id);
  if (found === undefined || found.expiresAtMs <= state.nowMs) throw notFound("invitation", id);
  return found;
}

/** The account's settings. Throws for an unknown project or group, or a credit without its scope. */
async function settingsIn(
  { body, state: { services: { store }, account } }: ManagementCall<unknown, NewInvitation>,
): Promise<InvitedSettings> {
  const { spending, project_id: projectId, group: groupId, starting_credit: creditNanoUsd } = body;
  const project = projectId === undefined ? undefined : await getProject(store, projectId);
  if (projectId !== undefined && (!project || project.archivedAtMs !== undefined)) {
    throw invalidField("project_id", `there is no project ${projectId} that users can join`);
  }
  if (groupId !== undefined && !await getGroup(store, groupId)) {
    throw invalidField("group", `there is no group ${groupId}`);
  }
  if (creditNanoUsd !== undefined) {
    if (!covers(account.token.scopes, creditScope)) {
      const message = `The API token lacks the scope ${creditScope}, which a starting credit needs`;
      throw new ManagementError("scope_missing", message);
    }
    if (creditNanoUsd > entryNanoUsdMax) throw invalidField("starting_credit", faults.amount);
  }
  const { budgets, limits } = changedBounds({}, body);
  return {
    spending,
    ...(projectId !== undefined && { projectId }),
    ...(groupId !== undefined && { groupId }),
    ...(creditNanoUsd !== undefined && { creditNanoUsd }),
    ...(budgets && { budgets }),
    ...(limits && { limits }),
  };
}

async function create(call: ManagementCall<unknown, NewInvitation>) {
  const { email, role } = call.body;
  assertMayMakeAdministrators(call, { role });
  const result = await invite(call, { email, role, ...await settingsIn(call) });
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
    summary: "Invite a user with project, group, credit and limits; the link is shown once",
    scope: "users:write",
    body: newInvitation,
    answer: invitationWithUrl,
    status: 201,
    errors: ["already_exists"],
    faults: allFaults.key,
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
