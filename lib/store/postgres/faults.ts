import type { StoreFault } from "../file/store_fault.ts";
import { StoreError } from "../kv/error.ts";
import { sqlState } from "./driver.ts";

/** The meaning of a server's error for the store. */
interface ServerFault {
  readonly name: StoreFault;
  /** False if one connection broke, which proves nothing about the server. */
  readonly isProven: boolean;
}

/** The codes of https://www.postgresql.org/docs/current/errcodes-appendix.html, by their beginning. */
const faults: readonly (readonly [code: RegExp, name: StoreFault, isProven: boolean])[] = [
  [/^53[12]00/, "full", true],
  [/^53300/, "no_connection", true],
  [/^25006/, "standby", true],
  [/^58/, "disk_error", true],
  [/^(28|42501)/, "denied", true],
  [/^(3D000|3F000|42P01|42883)/, "missing", true],
  [/^57P03/, "silent", true],
  [/^(08|57|55P03|40|XX)/, "silent", false],
];

/** Errors of the operating system and the driver, before a connection is open. */
const unreachable =
  /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|timeout expired|connection timeout/i;
const broken =
  /ECONNRESET|EPIPE|ETIMEDOUT|terminated|Connection ended|not queryable|closed the connection/i;
const encryption = /certificate|SSL|TLS/i;

/** Returns undefined for a mistake of ours. */
export function faultOfServer(error: unknown): ServerFault | undefined {
  const code = sqlState(error);
  const known = faults.find(([pattern]) => pattern.test(code));
  if (known) return { name: known[1], isProven: known[2] };
  if (code !== "" || !(error instanceof Error)) return undefined;
  const text = `${(error as { code?: unknown }).code} ${error.message}`;
  if (unreachable.test(text) || encryption.test(text)) return { name: "silent", isProven: true };
  return broken.test(text) ? { name: "silent", isProven: false } : undefined;
}

/** Mistakes that no time heals, by the code or the words of their error, and what to do. */
const mistakes: readonly (readonly [says: RegExp, remedy: string])[] = [
  [/pg_hba\.conf/, "Admit the gateway there, with sslmode=verify-full if it demands encryption"],
  [/^28|client password/, "Check the user and the password in TESSERA_KV"],
  [/^3D000/, "Create it with createdb, or name another one in TESSERA_KV"],
  [/^42501/, "Grant its role the rights that docs/how-to/run-on-several-machines.md names"],
  [/altnames/, "Name the server in TESSERA_KV as its certificate does"],
  [/has expired|not yet valid/, "Renew the server's certificate"],
  [/not support SSL/, "Set ssl = on at the server"],
  [encryption, "Let sslrootcert name the certificate of the authority that signed the server's"],
];

/** Returns undefined for a fault that may end by itself. */
export function openingFault(error: unknown, where: string): StoreError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  const code = sqlState(error);
  if (code.startsWith("53") || unreachable.test(message)) return undefined; // a name in it may have "ssl"
  const [, remedy] = mistakes.find(([says]) => says.test(`${code} ${message}`)) ?? [];
  if (remedy === undefined) return undefined;
  return new StoreError("unreadable", `Cannot open the store ${where}: ${message}. ${remedy}`);
}
