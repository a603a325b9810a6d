import { z } from "zod";
import { currentMailServer, mailSettings, removeMail, saveMail } from "../admin/mail.ts";
import { mailFaults, type MailTest } from "../mail/mod.ts";
import { mailSecurities, type MailServer } from "../store/mail/mod.ts";
import { invalidField, ManagementError } from "./http/error.ts";
import { type ManagementCall, operation } from "./http/operation.ts";
import { emailInput, namedObject } from "./http/schema.ts";

const answer = namedObject("MailServer", {
  source: z.enum(["configuration", "console", "none"]).describe(
    "`configuration`: the file or the environment sets it, and the API cannot change it",
  ),
  host: z.string().nullable(),
  port: z.int().nullable(),
  security: z.enum(mailSecurities).nullable(),
  username: z.string().nullable(),
  has_password: z.boolean().describe("The password itself is never shown"),
  from: z.string().nullable(),
});

const change = mailSettings.partial().extend({
  security: z.enum(mailSecurities).optional(),
  username: mailSettings.shape.username.nullable().describe("Null: the server asks for none"),
});

const tested = z.object({
  result: z.enum(["delivered", ...Object.keys(mailFaults)]),
  message: z.string().describe("The result in one English sentence"),
  status: z.int().nullable().describe("The server's reply code, such as 535"),
  server_message: z.string().nullable().describe("The server's own words"),
});

const testInput = z.strictObject({
  to: emailInput.optional().describe("Absent: the address of the token's owner"),
});

/** Sets up and tests the mail server. */
export const emailOperations = [
  operation("GET /settings/email", {
    summary: "Read the mail server",
    scope: "settings:read",
    answer,
  }, async ({ state: { services } }) => ({ body: viewOf(await currentMailServer(services)) })),
  operation("PATCH /settings/email", {
    summary: "Set up or change the mail server",
    scope: "settings:write",
    body: change,
    answer,
  }, changeServer),
  operation("DELETE /settings/email", {
    summary: "Remove the mail server",
    scope: "settings:write",
    errors: ["object_not_found"],
  }, async (call) => {
    if (!await removeMail(call)) throw noServer();
  }),
  operation("POST /settings/email/test", {
    summary: "Send a test e-mail",
    scope: "settings:write",
    body: testInput,
    answer: tested,
    errors: ["object_not_found"],
  }, async ({ state: { services: { alerts }, account: { user } }, body: { to } }) => {
    const result = await alerts?.testMail?.({ email: to ?? user.email, locale: "en" });
    if (result === undefined) throw noServer();
    return { body: testView(result) };
  }),
];

/** Fields that are absent stay as they are. */
async function changeServer(call: ManagementCall<unknown, z.output<typeof change>>) {
  const { server, isConfigured } = await currentMailServer(call.state.services);
  if (isConfigured) {
    throw new ManagementError("invalid_request", "The configuration sets the mail server");
  }
  const { username, ...fields } = call.body;
  const { password: _, passwordFault: __, id: ___, ...present } = { id: "", ...server };
  const known = { ...present, ...fields };
  const name = username === undefined ? present.username : username ?? undefined;
  const isMoved = fields.security !== undefined && fields.port === undefined;
  const parsed = mailSettings.safeParse({
    ...known,
    ...(name !== undefined && { username: name }),
    ...(name === undefined && { username: undefined }),
    ...(isMoved && { port: undefined }),
  });
  if (!parsed.success) {
    const [{ path, message }] = parsed.error.issues;
    throw invalidField(String(path[0]), message);
  }
  const result = await saveMail(call, parsed.data);
  if (result.type === "invalid") throw invalidField(result.field, wrong[result.field]);
  return { body: viewOf({ server: result.server, isConfigured: false }) };
}

const wrong: Readonly<Record<string, string>> = {
  username: "must be set together with password",
  password: "must be given for this host and user name",
  security: "must be starttls or tls: the password would go over the network in plain text",
};

function viewOf(
  { server, isConfigured }: { server: MailServer | undefined; isConfigured: boolean },
): z.input<typeof answer> {
  const { host = null, port = null, security = null, username = null, from = null, password } =
    server ?? {};
  const source = isConfigured ? "configuration" : server ? "console" : "none";
  return { source, host, port, security, username, has_password: password !== undefined, from };
}

function testView(result: MailTest): z.input<typeof tested> {
  if (result === "delivered") {
    const message = "The mail server accepted the test e-mail";
    return { result, message, status: null, server_message: null };
  }
  const { fault, status = null, words = null } = result;
  return { result: fault, message: mailFaults[fault], status, server_message: words };
}

function noServer(): ManagementError {
  return new ManagementError("object_not_found", "No mail server is set up");
}
