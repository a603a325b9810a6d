import { assert, assertEquals } from "@std/assert";
import {
  issueInvitation,
  issuePasswordLink,
  openInvitation,
  openPasswordLink,
  removeUser,
} from "../../lib/accounts/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { createUser, deleteUser, updateUser, type User } from "../../lib/store/users/mod.ts";
import { sampleUser } from "../store/samples.ts";
import { testOnStores } from "../store/temp_store.ts";

const nowMs = Date.now();
const rogue = sampleUser({ id: "usr_rogue", email: "rogue@example.com", role: "administrator" });
const owner = sampleUser({ id: "owner", email: "owner@example.com", role: "administrator" });

async function invited(store: Store, email: string, by: User = rogue): Promise<string> {
  const draft = { email, role: "administrator", spending: "unlimited" } as const;
  const issued = await issueInvitation(store, by, draft, { nowMs });
  assert(issued.type === "issued");
  return issued.token;
}

const ends = {
  "was demoted": (store: Store) =>
    updateUser(store, rogue.id, (one) => ({ ...one, role: "member" as const })),
  "was disabled": (store: Store) =>
    updateUser(store, rogue.id, (one) => ({ ...one, enabled: false })),
  "was deleted": (store: Store) => deleteUser(store, rogue.id),
};

for (const [name, end] of Object.entries(ends)) {
  testOnStores(`links of an administrator who ${name} open nothing any more`, async (store) => {
    await createUser(store, owner);
    await createUser(store, rogue);
    const invitation = await invited(store, "friend@example.com");
    const link = await issuePasswordLink(store, { user: owner, createdBy: rogue.id }, nowMs);
    assertEquals((await openInvitation(store, invitation, nowMs))?.email, "friend@example.com");
    assertEquals((await openPasswordLink(store, link, nowMs))?.id, "owner");
    await end(store);
    assertEquals(await openInvitation(store, invitation, nowMs), undefined);
    assertEquals(await openPasswordLink(store, link, nowMs), undefined);
  });
}

testOnStores("who was deleted comes back by no earlier invitation", async (store) => {
  await createUser(store, owner);
  const member = sampleUser({ id: "usr_gone", email: "gone@example.com" });
  const [again, other] = [
    await invited(store, member.email, owner),
    await invited(store, "other@example.com", owner),
  ];
  await createUser(store, member);
  assert(await removeUser(store, member.id));
  assertEquals(await openInvitation(store, again, nowMs), undefined);
  assertEquals((await openInvitation(store, other, nowMs))?.email, "other@example.com");
});
