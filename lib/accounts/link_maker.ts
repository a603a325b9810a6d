import { type LinkMaker, type Role, termOf } from "../store/users/mod.ts";
import { may } from "./roles.ts";
import { covers, scopeForRole } from "./scopes.ts";

/**
 * Returns true if the maker of a link may still let in a user of a role: an administrator without a
 * break, and the API token by which the link was made.
 */
export function mayLetIn({ made, user, token }: LinkMaker, role: Role, nowMs: number): boolean {
  if (user === undefined || !may(user, "manage-users")) return false;
  if (termOf(user) !== termOf(made)) return false;
  if (made.tokenId === undefined) return true;
  if (token === undefined || (token.expiresAtMs ?? Infinity) <= nowMs) return false;
  return covers(token.scopes, scopeForRole[role]);
}
