import type { Store } from "../../lib/store/mod.ts";
import { createUser, firstAccountId, type User } from "../../lib/store/users/mod.ts";
import { sampleUser } from "../store/samples.ts";

/** A moment that tests may add to. */
export const nowMs = Date.UTC(2026, 10, 21, 8, 40, 15);

export const administrator: User = sampleUser({
  id: firstAccountId,
  email: "root@example.com",
  role: "administrator",
  spending: "unlimited",
});

/** Makes members `usr_0`, `usr_1`, … and returns their ids. */
export async function addMembers(store: Store, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => `usr_${n}`);
  for (const id of ids) await createUser(store, sampleUser({ id, email: `${id}@example.com` }));
  return ids;
}
