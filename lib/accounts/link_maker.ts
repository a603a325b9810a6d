import type { Store } from "../store/mod.ts";
import { getUser } from "../store/users/mod.ts";
import { may } from "./roles.ts";

/** Whether who made a link for somebody may still do so: who is an administrator no more leaves no way in. */
export async function isMadeByAdministrator(
  store: Store,
  { createdBy }: { readonly createdBy: string },
): Promise<boolean> {
  const maker = await getUser(store, createdBy);
  return maker !== undefined && may(maker, "manage-users");
}
