import { ArchiveError, findCall, type LogSource } from "../archive/mod.ts";
import { formatNames } from "../canonical/mod.ts";
import { relayedEndpoints } from "../formats/relayed/mod.ts";
import type { CalledEndpoint, RequestLogRow } from "../store/log/mod.ts";

/** Bounds the files in memory: 64 MiB of text each at most. */
const lookUpsMax = 4;
/** The longest wait for a page. */
const waitMs = 8_000;

/** Accounts with a look-up in the archive under way. */
const busy = new Set<string>();

/**
 * Finds a call by its ID. An ID of an archived day makes the archive read a file, also if the ID is
 * made up: so each account has one look-up at a time. Returns `unreadable` if the archive fails or
 * has no time.
 */
export async function lookUpCall(
  { store, place }: LogSource,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<RequestLogRow | "unreadable" | undefined> {
  const stored = await findCall({ store }, id);
  if (stored || !place) return stored;
  if (busy.has(accountId) || busy.size >= lookUpsMax) return "unreadable";
  busy.add(accountId);
  try {
    return await findCall({ store, place }, id, AbortSignal.timeout(waitMs));
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    console.error("Console: cannot read from the log's archive", error);
    return "unreadable";
  } finally {
    busy.delete(accountId);
  }
}

/** Reads the id of a call from an address; undefined for an invalid one. */
export function readRequestId(text: string | null | undefined): string | undefined {
  return text && /^req_[0-9A-Za-z]{1,64}$/.test(text) ? text : undefined;
}

/** Every endpoint that the log may contain, in display order. */
export const calledEndpoints: readonly CalledEndpoint[] = [
  ...formatNames,
  ...relayedEndpoints.map(({ operation }) => operation),
];
