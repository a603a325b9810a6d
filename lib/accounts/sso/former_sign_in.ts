import type { Store } from "../../store/mod.ts";
import { deleteIdentity, listIdentities, updateUser, type User } from "../../store/users/mod.ts";
import { resetSecondStep } from "../second_step_reset.ts";
import { isAssigned } from "./admission.ts";
import type { SsoArrival } from "./arrival.ts";

/**
 * Removes every way in to an account whose address nobody has proved until now: the password, the
 * sessions, passkeys and one-time codes, and identities whose provider does not assign the address.
 * Otherwise a stranger who signed up with the address would share the account with its real owner.
 * Returns the user. An interruption leaves an account that the next sign-in links.
 */
export async function removeFormerSignIn(
  store: Store,
  { draft, providers }: SsoArrival,
  user: User,
): Promise<User> {
  const changes = [
    ...user.passwordHash === undefined ? [] : [{ field: "password", after: "reset" }],
    { field: "secondStep", after: "reset" },
  ];
  const audit = draft(user, { action: "changed", changes });
  const changed = await updateUser(store, user.id, ({ passwordHash: _, ...kept }) => kept, {
    audit,
  });
  for (const identity of await listIdentities(store, user.id)) {
    const own = providers.filter(({ id }) => id === identity.provider);
    const isProved = identity.email === user.email && isAssigned(user.email, own);
    if (!isProved) await deleteIdentity(store, identity);
  }
  await resetSecondStep(store, user.id);
  return changed ?? user;
}
