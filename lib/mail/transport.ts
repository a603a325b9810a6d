import { isIP } from "node:net";
import type { MailServer } from "../store/mail/mod.ts";
import { type AddressRule, allowedAddresses } from "../upstreams/mod.ts";
import { type MailFailure, mailFailure } from "./fault.ts";

/** A mail as it is sent: the same at every attempt. */
export interface Mail {
  readonly to: string;
  /** The name beside the sender's address. */
  readonly sender: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Not sent after this time: its link has expired. */
  readonly notAfterMs?: number;
}

/** A server with the networks in which it may be; `undefined` for one of the configuration. */
export interface MailRoute {
  readonly server: MailServer;
  readonly rule: AddressRule | undefined;
}

export type MailOutcome =
  /** The server has taken over the mail. */
  | { readonly type: "accepted" }
  | { readonly type: "failed"; readonly failure: MailFailure }
  /** The gateway is stopping. */
  | { readonly type: "stopped" };

interface SendOptions {
  /** The same at every attempt, so that mailboxes recognize a mail that comes twice. */
  readonly id: string;
  /** The longest time of all steps together. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Sends a mail to its one recipient. Never throws. */
export async function sendMail(
  route: MailRoute,
  mail: Mail,
  { id, timeoutMs, signal }: SendOptions,
): Promise<MailOutcome> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const ended = AbortSignal.any([signal, late]);
    const host = await unlessEnded(addressOf(route), ended);
    const transport = await open(route.server, host, timeoutMs);
    await transport.sendMail({
      from: { name: mail.sender, address: route.server.from },
      to: { name: "", address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: `<${id}@${route.server.from.split("@").at(-1)}>`,
      headers: { "Auto-Submitted": "auto-generated" },
      signal: ended,
    });
    return { type: "accepted" };
  } catch (error) {
    if (signal.aborted) return { type: "stopped" };
    return { type: "failed", failure: mailFailure(error, late.aborted) };
  }
}

/** The checked address of a server of the console; the name of one of the configuration. */
async function addressOf({ server: { host }, rule }: MailRoute): Promise<string> {
  if (rule === undefined || rule.allowsPrivate) return host;
  const written = isIP(host) === 6 ? `[${host}]` : host;
  const [address] = await allowedAddresses(new URL(`http://${written}`), rule);
  return address;
}

/** Looking up a name cannot be ended, but need not be waited for. */
async function unlessEnded<Value>(value: Promise<Value>, ended: AbortSignal): Promise<Value> {
  const end = Promise.withResolvers<never>();
  const reject = () => end.reject(ended.reason);
  ended.addEventListener("abort", reject, { once: true });
  return await Promise.race([value, end.promise])
    .finally(() => ended.removeEventListener("abort", reject));
}

/** Loaded with the first mail: starts and calls do not pay for it. */
async function open(server: MailServer, host: string, timeoutMs: number) {
  const { createTransport } = await import("nodemailer");
  const { port, security, username, password } = server;
  return createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(isIP(server.host) === 0 && { tls: { servername: server.host } }),
    ...(username !== undefined && { auth: { user: username, pass: password ?? "" } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
