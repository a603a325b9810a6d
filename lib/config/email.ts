import { isIP } from "node:net";
import { z } from "zod";
import { hasHidden } from "../canonical/mod.ts";
import { mailSecurities, type MailServer } from "../store/mail/mod.ts";
import { ConfigError } from "./fault.ts";
import { isLoopbackHost, must, strict } from "./fields.ts";

const hostText = "a host name or an IP address, such as smtp.example.com";
const portText = "a port from 1 to 65535";
const senderText = "an e-mail address, such as tessera@example.com";
const textText = "text of one line";

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;
const mailAddress = /^[^\s@<>",;:()[\]\\]{1,64}@[^\s@<>",;:()[\]\\]{1,189}$/;

/** True for a plain address without a name, which cannot add a header or a second address. */
export function isMailAddress(text: string): boolean {
  return mailAddress.test(text) && !hasHidden(text);
}

const line = z.string(must(textText)).max(1_000, must(textText))
  .refine((text) => !/[\r\n\0]/.test(text), must(textText));

/** The fields of a mail server, the same for the file, the console and the API. */
export const mailServerFields = {
  host: z.string(must(hostText)).trim()
    .refine((text) => hostName.test(text) || isIP(text) !== 0, must(hostText))
    .describe("Name or address of the SMTP server"),
  port: z.int(must(portText)).min(1, must(portText)).max(65_535, must(portText)).optional()
    .describe("Absent: 587 for starttls, 465 for tls, 25 for none"),
  security: z.enum(mailSecurities).default("starttls").describe(
    "starttls: plain text that must become TLS; tls: TLS from the start; none: plain text, without a password outside this machine",
  ),
  username: line.trim().min(1).optional().describe("Absent: the server asks for none"),
  password: line.min(1).optional().describe("Best as ${NAME} in the configuration file"),
  from: z.string(must(senderText)).trim().refine(isMailAddress, must(senderText))
    .describe("Address of the sender"),
};

/** The part `email` of the configuration file. */
export const emailSchema = strict(mailServerFields).superRefine((server, context) => {
  const { host, security, username, password } = server;
  const fault = (field: string, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  if (username !== undefined && password === undefined) {
    fault("password", "must be set together with username");
  }
  if (password === undefined) return;
  if (username === undefined) fault("username", "must be set together with password");
  if (security === "none" && !isLoopbackHost(host)) {
    fault("security", "must be starttls or tls: the password would be sent in plain text");
  }
});

const usualPorts = { starttls: 587, tls: 465, none: 25 } as const;

/** Adds the usual port of its security. */
export function mailServer(input: z.infer<typeof emailSchema>): MailServer {
  return { ...input, port: input.port ?? usualPorts[input.security] };
}

const urlText = "an address such as smtp://user:password@smtp.example.com:587, or smtps://…";
const securities: Readonly<Record<string, MailServer["security"]>> = {
  "smtp:": "starttls",
  "smtps:": "tls",
  "smtp+plain:": "none",
};

/** TESSERA_SMTP_URL: `smtp` means STARTTLS, `smtps` TLS from the start, `smtp+plain` neither. */
export const smtpUrl = z.string().trim().transform((text, context) => {
  const url = URL.parse(text);
  const security = url ? securities[url.protocol] : undefined;
  if (
    url && security && url.hostname !== "" && /^\/?$/.test(url.pathname + url.search + url.hash)
  ) {
    const { hostname, port, username, password } = url;
    try {
      return {
        host: hostname.replace(/^\[|\]$/g, ""),
        security,
        ...(port !== "" && { port: Number(port) }),
        ...(username !== "" && { username: decodeURIComponent(username) }),
        ...(password !== "" && { password: decodeURIComponent(password) }),
      };
    } catch {
      // A stray %: reported below, without the value.
    }
  }
  context.addIssue({ code: "custom", message: `must be ${urlText}` });
  return z.NEVER;
});

/** Returns the server that the environment names; undefined if it names none. */
export function environmentEmail(
  server: z.output<typeof smtpUrl> | undefined,
  from: string | undefined,
): MailServer | undefined {
  if (server === undefined) return undefined;
  const parsed = emailSchema.safeParse({ ...server, from });
  if (parsed.success) return mailServer(parsed.data);
  throw new ConfigError(
    parsed.error.issues.map(({ path, message }) =>
      `TESSERA_SMTP_URL: its ${String(path[0])} ${message}`
    ),
  );
}
