import { type Passwords, readEmail } from "../../lib/accounts/mod.ts";
import { newId, type Store } from "../../lib/store/mod.ts";
import { createUser, defaultSpending, type Role, type User } from "../../lib/store/users/mod.ts";

/** Stores an account with a password. */
export async function addAccount(
  { store, passwords }: { readonly store: Store; readonly passwords: Passwords },
  { email, password, role }: {
    readonly email: string;
    readonly password: string;
    readonly role: Role;
  },
  createdAtMs: number,
): Promise<User> {
  const id = newId("usr");
  const user: User = {
    id,
    email: readEmail(email) ?? email,
    role,
    passwordHash: await passwords.hash(password),
    createdAtMs,
    enabled: true,
    spending: defaultSpending(id),
  };
  await createUser(store, user);
  return user;
}
