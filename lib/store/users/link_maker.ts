import { type AdminToken, getAdminToken } from "../admin_tokens/admin_token.ts";
import { keys } from "../keys.ts";
import { getEntries } from "../kv/entries.ts";
import type { Store } from "../kv/store.ts";
import { getUser, type User } from "./user.ts";

/** The administrator who made a link, in the console or by an API token. */
export interface MadeBy {
  readonly createdBy: string;
  /** The administrator's term. Absent: 0. */
  readonly term?: number;
  /** Absent if the link was made in the console. */
  readonly tokenId?: string;
}

/** The maker of a link as stored now; undefined parts are gone. */
export interface LinkMaker {
  readonly made: MadeBy;
  readonly user?: User;
  readonly token?: AdminToken;
}

/**
 * Reads the maker of a link. A commit that checks the entries fails if the maker's rights have
 * changed since.
 */
export async function readMaker(
  store: Store,
  made: MadeBy,
): Promise<{ readonly maker: LinkMaker; readonly entries: readonly Deno.KvEntryMaybe<unknown>[] }> {
  const { createdBy, tokenId } = made;
  const tokenKeys = tokenId === undefined ? [] : [keys.adminToken(tokenId)];
  const entries = await getEntries(store, [keys.user(createdBy), ...tokenKeys]);
  const user = await getUser(store, createdBy);
  const token = tokenId === undefined ? undefined : await getAdminToken(store, tokenId);
  return { maker: { made, user, token }, entries };
}
