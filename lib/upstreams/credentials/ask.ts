import { lenientText } from "../../bytes.ts";
import { GatewayError, isJsonObject } from "../../canonical/mod.ts";
import { objectIn } from "../../formats/wire_value.ts";
import type { UpstreamTimeouts } from "../../store/mod.ts";
import type { Outbound } from "../fetch.ts";
import { readBeginning } from "../refusal.ts";
import { maskedIn } from "../upstream_words.ts";
import { withoutAccounts } from "../surfaces/errors.ts";
import type { Send } from "../send.ts";

/**
 * Requests something of a token service, and resolves with the text of its answer. No error shows
 * the credentials, which a service may repeat.
 */
export type Ask = (
  request: Omit<Outbound, "source">,
  credentials?: readonly string[],
) => Promise<string>;

const timeouts: UpstreamTimeouts = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  idleMs: 5_000,
  totalMs: 15_000,
};
const answerBytesMax = 64 * 1024;
/** The token is for all callers, so none ends its request. */
const nobody = new AbortController().signal;

/**
 * Rejects with `upstream_unauthorized` if the service refuses the credential, which then rests, and
 * with `upstream_error` if it fails or cannot be reached. Follows no redirect.
 */
export function askThrough(send: Send): Ask {
  return async (request, credentials = []) => {
    const answer = await send(request, timeouts, nobody).catch(unreached);
    const text = lenientText(await readBeginning(answer, answerBytesMax).catch(unreached));
    if (answer.status === 200) return text;
    throw refused(answer.status, maskedIn(text, credentials));
  };
}

/** The body of a form, with its content type. */
export function formOf(
  members: Readonly<Record<string, string | undefined>>,
): Pick<Outbound, "method" | "headers" | "body"> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  const body = new URLSearchParams(present as [string, string][]); // the undefined ones are gone
  return {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: String(body),
  };
}

/** The error of a failed connection. The server's stop ends a request, too. */
function unreached(cause: unknown): never {
  if (!(cause instanceof GatewayError) || cause.code === "shutting_down") throw cause;
  throw new GatewayError("upstream_error", "Cannot reach the upstream's token service", { cause });
}

/** Codes and statuses by which a service asks to come back later. */
const busy = /throttl|slow_?down|temporarily_unavailable|RequestLimitExceeded/i;

function refused(status: number, text: string): GatewayError {
  const said = wordsIn(text);
  if (
    status < 400 || status >= 500 || status === 408 || status === 429 || busy.test(said.code ?? "")
  ) {
    return new GatewayError("upstream_error", "The upstream's token service failed", inWords(said));
  }
  return new GatewayError(
    "upstream_unauthorized",
    "The upstream's token service rejected the gateway's credential. An administrator must replace it",
    inWords(said),
  );
}

/** The service's words: without names of accounts for the log, whole as the cause for operators. */
function inWords({ code, message }: Said) {
  const whole = [code, message].filter((word) => word !== undefined && word !== "").join(": ");
  const said = { ...(code !== undefined && { code }), message: withoutAccounts(message) };
  return { said, cause: new Error(whole) };
}

/** The error of a setting that keeps a credential from being used. */
export function unusable(message: string): GatewayError {
  return new GatewayError(
    "upstream_unauthorized",
    "The gateway cannot use its credential. An administrator must correct it",
    inWords({ message }),
  );
}

interface Said {
  readonly code?: string;
  readonly message: string;
}

/** The code and message of OAuth, Google, AWS (JSON and XML) or plain text. */
function wordsIn(text: string): Said {
  const json = objectIn(text);
  const inner = json?.error ?? json?.Error;
  const error = isJsonObject(inner) ? inner : json ?? {};
  const code = textIn([typeof inner === "string" ? inner : undefined, error.status, error.Code]) ??
    elementIn(text, "Code");
  const message = textIn([json?.error_description, error.message, error.Message]) ??
    elementIn(text, "Message") ?? (json ? code ?? "" : text.slice(0, 500));
  return { ...(code !== undefined && { code }), message };
}

function textIn(values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === "string");
}

/** The text of an XML element without children, as AWS's token service writes them. */
export function elementIn(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

/** The error of an answer that lacks a part. */
export function lacking(what: string): GatewayError {
  return new GatewayError(
    "upstream_error",
    `The upstream's token service answered without ${what}`,
  );
}
