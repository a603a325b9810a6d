import { z } from "zod";
import { isLoopbackHost, mailServer, mailServerFields } from "../config.ts";
import type { MailNotice } from "../mail/mod.ts";
import {
  deleteMailServer,
  getMailServer,
  type MailServer,
  saveMailServer,
} from "../store/mail/mod.ts";
import { type AuditContext, auditEntry, type AuditWords, changesBetween } from "./audit.ts";
import type { AdminServices } from "./services.ts";

/** The settings of a mail server, the same for the console and the API. */
export const mailSettings = z.strictObject(mailServerFields);
type MailSettings = z.output<typeof mailSettings>;

type MailField = keyof MailSettings;

/** The mail server in use, and whether the configuration sets it. */
export async function currentMailServer(
  { store, config: { email } }: Pick<AdminServices, "store" | "config">,
): Promise<{ readonly server: MailServer | undefined; readonly isConfigured: boolean }> {
  return { server: email ?? await getMailServer(store), isConfigured: email !== undefined };
}

type MailSaved =
  | { readonly type: "saved"; readonly server: MailServer }
  | { readonly type: "invalid"; readonly field: MailField };

/**
 * Saves the server of the console. An absent password keeps the current one, unless host or user
 * change: a password must not be sent to a server that its author did not choose.
 */
export async function saveMail(ctx: AuditContext, settings: MailSettings): Promise<MailSaved> {
  const { store } = ctx.state.services;
  const before = await getMailServer(store);
  const server = withPassword(mailServer(settings), before);
  const field = wrongField(server);
  if (field !== undefined) return { type: "invalid", field };
  const changes = [
    ...changesBetween(before ? mailWords(before) : {}, mailWords(server)),
    ...before?.password === server.password ? [] : [{ field: "password", after: "changed" }],
  ];
  const facts = { ...target(server), action: "changed", changes } as const;
  const audit = changes.length === 0 ? undefined : auditEntry(ctx, facts);
  await saveMailServer(store, server, { audit });
  return { type: "saved", server };
}

/** Removes the server of the console. Returns false if there was none. */
export async function removeMail(ctx: AuditContext): Promise<boolean> {
  const { store } = ctx.state.services;
  const server = await getMailServer(store);
  if (!server) return false;
  const changes = [{ field: "host", before: server.host }];
  const audit = auditEntry(ctx, { ...target(server), action: "changed", changes });
  return await deleteMailServer(store, { audit });
}

/** Sends a link by mail. Returns false if no mail server is set up. */
export async function mailLink(
  { state: { services: { alerts }, account } }: AuditContext,
  link:
    & Pick<Extract<MailNotice, { url: string }>, "type" | "url" | "expiresAtMs">
    & { readonly to: string; readonly locale: string | undefined },
): Promise<boolean> {
  const { to: email, locale, ...rest } = link;
  const notice = { ...rest, by: account.user.email } as const;
  return await alerts?.mail?.send(notice, { email, locale }) ?? false;
}

function withPassword(server: MailServer, before: MailServer | undefined): MailServer {
  const { host, username, password } = server;
  if (username === undefined || password !== undefined) return server;
  const isSame = before?.host === host && before.username === username &&
    before.password !== undefined;
  if (!isSame) return server;
  const { passwordFault } = before;
  return {
    ...server,
    password: before.password,
    ...(passwordFault !== undefined && { passwordFault }),
  };
}

function wrongField({ host, security, username, password }: MailServer): MailField | undefined {
  if (username !== undefined && password === undefined) return "password";
  if (password !== undefined && username === undefined) return "username";
  const isOpen = security === "none" && password !== undefined && !isLoopbackHost(host);
  return isOpen ? "security" : undefined;
}

function mailWords({ host, port, security, username, from }: MailServer): AuditWords {
  return { host, port: String(port), security, username, from };
}

function target({ host }: MailServer) {
  return { kind: "settings", targetId: "email", targetName: host } as const;
}
