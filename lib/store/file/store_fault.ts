import { GatewayError } from "../../canonical/mod.ts";
import { StoreError } from "../kv/error.ts";

const restoring =
  "Stop the gateway, restore a backup with `deno task restore FILE`, and start again.";

/** The reasons the store cannot record anything, and the operator's remedy for each. */
export const storeFaults = {
  full: {
    what: "its disk is full",
    remedy: "Free space on that disk.",
    isLasting: false,
    says: /database or disk is full|no space left|os error 28\b|disk quota exceeded/i,
  },
  read_only: {
    what: "its file or folder is read-only",
    remedy: "Make both writable for the user that runs the gateway.",
    isLasting: false,
    says: /readonly database|read-only file system|permission denied|os error (1|13|30)\b/i,
  },
  corrupted: {
    what: "its file is damaged, or is not a store",
    remedy: restoring,
    isLasting: true,
    says: /disk image is malformed|not a database|malformed database schema/i,
  },
  lost: {
    what: "its file was deleted or replaced while the gateway used it",
    remedy: restoring,
    isLasting: true,
    says: undefined,
  },
  disk_error: {
    what: "its disk has read or write errors",
    remedy: "Check the disk, its mount, and that the file is writable.",
    isLasting: false,
    says: /disk I\/O error|unable to open database file|input\/output error|os error 5\b/i,
  },
  standby: {
    what: "its database is a read-only standby",
    remedy: "Let TESSERA_KV name the primary, or promote this server.",
    isLasting: false,
    says: undefined,
  },
  no_connection: {
    what: "its database has no connection left",
    remedy: "Raise `max_connections` of the server, or lower `pool` in TESSERA_KV.",
    isLasting: false,
    says: undefined,
  },
  denied: {
    what: "its database denies the gateway's role access",
    remedy: "Give the role that TESSERA_KV names its rights back, or correct its password.",
    isLasting: false,
    says: undefined,
  },
  missing: {
    what: "its database or its table was dropped",
    remedy: "Stop the gateways, restore the database from a backup, and start them again.",
    isLasting: false,
    says: undefined,
  },
  silent: {
    what: "it does not answer",
    remedy: "Check its disk, or the database server and the network in between.",
    isLasting: false,
    says: /database (table )?is locked|failed to connect to '|timed out connecting to /i,
  },
} as const satisfies Record<string, StoreFaultRow>;

interface StoreFaultRow {
  /** Completes "The store cannot be used: …". */
  readonly what: string;
  readonly remedy: string;
  /** True if nothing may be written until the operator has acted. */
  readonly isLasting: boolean;
  /** Matches messages of SQLite or the operating system. */
  readonly says: RegExp | undefined;
}

export type StoreFault = keyof typeof storeFaults;

/** In the order of the table. */
export const storeFaultNames = Object.keys(storeFaults) as readonly StoreFault[]; // sound: its own keys

/**
 * Returns the fault that an error of the database or its file indicates; undefined for any other
 * error.
 */
export function storeFaultOf(error: unknown): StoreFault | undefined {
  if (error instanceof StoreUnavailable) return error.fault;
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  return storeFaultNames.find((name) => storeFaults[name].says?.test(message));
}

/** Seconds after which a caller retries: the store is probed more often than that. */
export const storeRetryAfterSeconds = 5;

/**
 * The store cannot record anything at present. `message` is for callers, `advice` for the operator.
 */
export class StoreUnavailable extends GatewayError {
  /** Names the file and the remedy, in one line. */
  readonly advice: string;

  constructor(
    readonly fault: StoreFault,
    { where, cause }: { readonly where: string; readonly cause?: unknown },
  ) {
    const { what } = storeFaults[fault];
    super("store_unavailable", unavailableText(what), {
      cause,
      retryAfterSeconds: storeRetryAfterSeconds,
    });
    this.advice = adviceOf(fault, where);
  }
}

/** For the operator: the store, its fault and the remedy. */
export function adviceOf(fault: StoreFault, where: string): string {
  const { what, remedy } = storeFaults[fault];
  return `Cannot use the store ${where}: ${what}. ${remedy}`;
}

/** An error of the store in one line for the operator; undefined for any other error, which is a bug. */
export function storeAdvice(error: unknown): string | undefined {
  if (error instanceof StoreUnavailable) return error.advice;
  return error instanceof StoreError ? error.message : undefined;
}

function unavailableText(what: string): string {
  return `The gateway cannot record calls: its store is unavailable (${what}). ` +
    "Not charged. Retry later; the remedy is in the gateway's log";
}
