import { defaultSpending, type User } from "../../lib/store/users/mod.ts";

/** The fixed time of the tests, so that pages are the same in every run. */
export const nowMs = Date.UTC(2026, 10, 21, 8, 40, 15);

export const administrator = user({ id: "owner", email: "owner@example.com" });
export const member = user({ id: "usr_member", email: "member@example.com", role: "member" });

export function user(parts: Pick<User, "id" | "email"> & Partial<User>): User {
  return {
    role: "administrator",
    createdAtMs: nowMs - 1_000,
    enabled: true,
    spending: defaultSpending(parts.id),
    ...parts,
  };
}
