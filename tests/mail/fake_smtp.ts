import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { setDefaultCACertificates } from "node:tls";
import { type Certificate, makeAuthority, makeCertificate, opensslPath } from "../certificates.ts";

/** A received mail. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came. */
  readonly raw: string;
  readonly isSecure: boolean;
  readonly user?: string;
}

/** A server that keeps what it gets. */
export interface FakeSmtp extends AsyncDisposable {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** The reply to a recipient: undefined accepts it. Changed by tests. */
  refusesRecipient: (address: string) => number | undefined;
  refusesSender: (address: string) => number | undefined;
  /** Called before a mail is accepted. */
  beforeAccept: () => Promise<void>;
}

export const password = "right horse";

/** Starts a server; `security` as a mail server's. A `user` must sign in with `password`. */
export async function startSmtp(
  { security = "none", user, ...more }: {
    readonly security?: "starttls" | "tls" | "none";
    readonly user?: string;
    readonly certificate?: Certificate;
  } & Pick<SMTPServerOptions, "disabledCommands"> = {},
): Promise<FakeSmtp> {
  const { certificate, disabledCommands = [] } = more;
  const mails: ReceivedMail[] = [];
  const fake = {
    refusesRecipient: (_: string): number | undefined => undefined,
    refusesSender: (_: string): number | undefined => undefined,
    beforeAccept: () => Promise.resolve(),
  };
  const server = new SMTPServer({
    secure: security === "tls",
    disabledCommands: security === "none" ? [...disabledCommands, "STARTTLS"] : disabledCommands,
    authOptional: user === undefined,
    allowInsecureAuth: true,
    closeTimeout: 100,
    ...(certificate && {
      key: Deno.readTextFileSync(certificate.key),
      cert: Deno.readTextFileSync(certificate.certificate),
    }),
    onAuth: (auth, _, callback) =>
      auth.username === user && auth.password === password
        ? callback(null, { user: auth.username })
        : callback(new Error("Bad credentials")),
    onMailFrom: ({ address }, _, callback) => callback(refusal(fake.refusesSender(address))),
    onRcptTo: ({ address }, _, callback) => callback(refusal(fake.refusesRecipient(address))),
    onData: (stream, session, callback) => {
      const chunks: Uint8Array[] = [];
      stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      stream.on("end", async () => {
        await fake.beforeAccept();
        const raw = new TextDecoder().decode(await new Blob(chunks as BlobPart[]).arrayBuffer());
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          raw,
          isSecure: session.secure,
          ...(typeof session.user === "string" && { user: session.user }),
        });
        callback(null, "Accepted");
      });
    },
  });
  server.on("error", () => {}); // clients that refuse the certificate
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  return Object.assign(fake, {
    port: address.port,
    mails,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

function refusal(status: number | undefined): Error | null {
  return status === undefined
    ? null
    : Object.assign(new Error("Refused by the test"), { responseCode: status });
}

/** A certificate for `localhost` that this process trusts; undefined without OpenSSL. */
export async function trustedCertificate(folder: string): Promise<Certificate | undefined> {
  if (opensslPath === undefined) return undefined;
  const authority = await makeAuthority(folder, "authority");
  setDefaultCACertificates([Deno.readTextFileSync(authority.certificate)]);
  return await makeCertificate(folder, { authority, names: "DNS:localhost", days: 2 });
}

/** A part of a mail, decoded. */
export function partOf({ raw }: ReceivedMail, type: "text/plain" | "text/html"): string {
  const [, part = ""] = raw.split(`Content-Type: ${type}`);
  const [head, ...lines] = part.split("\r\n\r\n");
  const body = lines.join("\r\n\r\n").split("\r\n--")[0];
  const decoded = /base64/i.test(head)
    ? Uint8Array.fromBase64(body.replaceAll(/\s/g, ""))
    : undefined;
  if (decoded) return new TextDecoder().decode(decoded);
  return /quoted-printable/i.test(head) ? quotedPrintable(body) : body;
}

function quotedPrintable(text: string): string {
  const bytes = text.replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

/** A header of a mail, unfolded, with its encoded words decoded. */
export function headerOf({ raw }: ReceivedMail, name: string): string {
  const head = raw.split("\r\n\r\n")[0].replaceAll(/\r\n[ \t]/g, " ");
  const found = head.split("\r\n").find((line) => line.toLowerCase().startsWith(`${name}:`));
  return (found ?? "").slice(name.length + 1).trim()
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(
      /=\?utf-8\?([BQ])\?(.*?)\?=/gi,
      (_, kind, text) =>
        kind.toUpperCase() === "B"
          ? new TextDecoder().decode(Uint8Array.fromBase64(text))
          : quotedPrintable(text.replaceAll("_", " ")),
    );
}
