import type { Store } from "../store/mod.ts";
import { getUser } from "../store/users/mod.ts";
import { may } from "./roles.ts";

/** Returns true if the maker of a link is still an administrator; links of former administrators are void. */
export async function isMadeByAdministrator(
  store: Store,
  { createdBy }: { readonly createdBy: string },
): Promise<boolean> {
  const maker = await getUser(store, createdBy);
  return maker !== undefined && may(maker, "manage-users");
}
