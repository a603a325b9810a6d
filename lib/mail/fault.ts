import { AddressError } from "../upstreams/mod.ts";
import type { MailFault } from "./fault_text.ts";

/** A failed attempt. */
export interface MailFailure {
  readonly fault: MailFault;
  /** The server's reply code, such as 550. */
  readonly status?: number;
  /** The server's own words, for administrators. */
  readonly words?: string;
  /** True if the server refuses the mail permanently. */
  readonly isPermanent: boolean;
  /** True if only this mail is concerned, and others may be sent. */
  readonly isOfMail: boolean;
}

const wordsMax = 300;

/** Converts what nodemailer throws. `isLate`: the time for all steps was over. */
export function mailFailure(error: unknown, isLate: boolean): MailFailure {
  const { code, command, responseCode: status, response } = partsOf(error);
  const fault = isLate ? "timeout" : faultOf(error, code, command);
  const isOfMail = ["recipient", "rejected"].includes(fault);
  return {
    fault,
    ...(status !== undefined && { status }),
    ...(response !== undefined && { words: printable(response) }),
    isPermanent: isOfMail && status !== undefined && status >= 500 && status !== 503,
    isOfMail,
  };
}

interface ThrownParts {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly message?: string;
}

function partsOf(error: unknown): ThrownParts {
  return error instanceof Error ? error : {}; // nodemailer's errors have these fields
}

const byCode: Readonly<Record<string, MailFault>> = {
  EDNS: "name_not_found",
  ETIMEDOUT: "timeout",
  EABORT: "timeout",
  EAUTH: "authentication",
  ENOAUTH: "authentication",
  EMESSAGE: "rejected",
};

function faultOf(error: unknown, code = "", command = ""): MailFault {
  if (error instanceof AddressError) {
    return error.isUnknown ? "name_not_found" : "address_forbidden";
  }
  const { message = "" } = partsOf(error);
  if (/ECONNREFUSED|connection refused/i.test(message)) return "connection_refused";
  if (/certificate|altnames|UnknownIssuer|NotValidForName/i.test(message)) return "certificate";
  if (code === "ETLS" || /InvalidContentType|wrong version/i.test(message)) return "no_tls";
  if (code === "EENVELOPE") return command.startsWith("MAIL") ? "sender" : "recipient";
  return byCode[code] ?? "connection_lost";
}

/** One line without control characters, bounded. */
function printable(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replaceAll(/[\x00-\x1f\x7f]+/g, " ").slice(0, wordsMax);
}
