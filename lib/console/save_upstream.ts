import { may } from "../accounts/mod.ts";
import type { FormatName } from "../canonical/mod.ts";
import {
  createUpstream,
  type Store,
  StoreError,
  updateUpstream,
  type UpstreamRecord,
  type User,
} from "../store/mod.ts";
import { AddressError, type AddressRule, assertUpstreamAddress } from "../upstreams/mod.ts";

/** Where upstreams are kept, and where they may be. */
export interface UpstreamPlace {
  readonly store: Store;
  readonly addresses: AddressRule;
}

/** An upstream as it is entered: the console says by itself where it comes from. */
export type EnteredUpstream = Omit<UpstreamRecord, "origin" | "credentialsFault">;

export type SavedUpstream =
  | { readonly type: "saved" }
  | {
    readonly type: "invalid";
    readonly field: "id" | FormatName;
    readonly message: string;
  }
  /** Nothing of that id, or it is declared in the configuration. */
  | { readonly type: "not-changed"; readonly message: string }
  | { readonly type: "forbidden"; readonly message: string };

/**
 * Adds an upstream. Only administrators may, and only at addresses that the console's upstreams may
 * have: whoever sets a base URL decides where prompts and credentials go.
 */
export async function addUpstream(
  place: UpstreamPlace,
  user: User,
  entered: EnteredUpstream,
): Promise<SavedUpstream> {
  const refused = await refusalOf(place, user, entered);
  if (refused) return refused;
  try {
    await createUpstream(place.store, { ...entered, origin: "console" });
    return saved;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "already_exists") throw error;
    return { type: "invalid", field: "id", message: error.message };
  }
}

/** Changes one that the console added, under the same conditions. Without credentials among what was entered, those that it has stay. */
export async function changeUpstream(
  place: UpstreamPlace,
  user: User,
  entered: EnteredUpstream,
): Promise<SavedUpstream> {
  const refused = await refusalOf(place, user, entered);
  if (refused) return refused;
  const kept = (found: UpstreamRecord) =>
    entered.credentials.length === 0 ? found.credentials : entered.credentials;
  try {
    const changed = await updateUpstream(place.store, entered.id, (found) => ({
      ...entered,
      credentials: kept(found),
      origin: "console",
    }));
    return changed ? saved : { type: "not-changed", message: `There is no upstream ${entered.id}` };
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "declared") throw error;
    return { type: "not-changed", message: error.message };
  }
}

const saved = { type: "saved" } as const;
const forbidden = {
  type: "forbidden",
  message: "Cannot save the upstream: only an administrator may",
} as const;

async function refusalOf(
  { addresses }: UpstreamPlace,
  user: User,
  { endpoints }: EnteredUpstream,
): Promise<SavedUpstream | undefined> {
  if (!may(user, "manage-upstreams")) return forbidden;
  const entries = Object.entries(endpoints) as [FormatName, string][]; // a record by format
  for (const [field, baseUrl] of entries) {
    try {
      await assertUpstreamAddress(baseUrl, addresses);
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      return { type: "invalid", field, message: error.message };
    }
  }
  return undefined;
}
