import { assert, assertEquals } from "@std/assert";
import {
  acceptInvitation,
  issueAdminToken,
  issueInvitation,
  issuePasswordLink,
  openInvitation,
  openPasswordLink,
  openSession,
  redeemPasswordLink,
  startSession,
} from "../../lib/accounts/mod.ts";
import { deleteAdminToken } from "../../lib/store/admin_tokens/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import {
  createUser,
  deleteUser,
  getUser,
  listSessions,
  updateUser,
  type User,
} from "../../lib/store/users/mod.ts";
import { sampleUser } from "../store/samples.ts";
import { testOnStores } from "../store/temp_store.ts";

const nowMs = Date.now();
const owner = sampleUser({ id: "owner", email: "owner@example.com", role: "administrator" });
const maker = sampleUser({ id: "usr_maker", email: "maker@example.com", role: "administrator" });
const ada = sampleUser({ passwordHash: "$argon2id$v=19$m=1$c2FsdA$aGFzaA" });
const password = "correct horse battery";

/** A password link of a token with the given scopes. */
async function linkOf(store: Store, user: User, scopes: readonly string[]) {
  const draft = { name: "script", userId: maker.id, scopes };
  const { token } = await issueAdminToken(store, draft, { nowMs });
  const made = { user, createdBy: maker.id, tokenId: token.id };
  return { link: await issuePasswordLink(store, made, nowMs), token };
}

function setRole(store: Store, role: User["role"]) {
  return updateUser(store, ada.id, (one) => ({ ...one, role }));
}

/** Tries to set the password; something may happen while it is being hashed. */
async function redeemed(store: Store, token: string, meanwhile?: () => Promise<unknown>) {
  const hash = async () => {
    await meanwhile?.();
    return "$argon2id$v=19$m=1$c2FsdA$b3RoZXI";
  };
  const saved = await redeemPasswordLink({ store, passwords: { hash }, nowMs }, {
    token,
    password,
  });
  const isSet = (await getUser(store, ada.id))?.passwordHash !== ada.passwordHash;
  assertEquals(isSet, saved !== undefined);
  return isSet;
}

async function addPeople(store: Store): Promise<void> {
  for (const one of [owner, maker, ada]) await createUser(store, one);
}

testOnStores(
  "a promotion ends the account's password link, also after a demotion",
  async (store) => {
    await addPeople(store);
    for (const scopes of [["users:write"], ["*"]]) {
      const { link } = await linkOf(store, ada, scopes);
      assertEquals((await openPasswordLink(store, link, nowMs))?.id, ada.id);
      await setRole(store, "administrator");
      assertEquals(await openPasswordLink(store, link, nowMs), undefined);
      assertEquals(await redeemed(store, link), false, `${scopes}`);
      await setRole(store, "member");
      assertEquals(await redeemed(store, link), false, `${scopes}, demoted again`);
    }
  },
);

testOnStores(
  "a promotion ends the account's sessions, however many, in its commit",
  async (store) => {
    await addPeople(store);
    const started = await Promise.all(
      Array.from({ length: 600 }, () => startSession(store, ada, { nowMs })),
    );
    const others = await startSession(store, maker, { nowMs });
    const isOpen = async (token: string) =>
      await openSession(store, token, { nowMs }) !== undefined;
    assert(await isOpen(started[0].token));
    await setRole(store, "administrator");
    const late = await startSession(store, ada, { nowMs }); // of a sign-in that began as a member
    const open = await Promise.all([...started, late].map(({ token }) => isOpen(token)));
    assertEquals(open.filter((one) => one).length, 0);
    assert(await isOpen(others.token));
    const again = await startSession(store, await getUser(store, ada.id) ?? ada, { nowMs });
    await updateUser(store, ada.id, (one) => ({ ...one, spending: "unlimited" }));
    assert(await isOpen(again.token), "other changes end no session");
    assertEquals((await listSessions(store, ada.id)).length, 2, "ended sessions are deleted");
    await setRole(store, "member");
    assertEquals(await isOpen(started[0].token), false, "a demotion brings none back");
  },
);

testOnStores("a newer password link ends the older one, whoever made it", async (store) => {
  await addPeople(store);
  const first = await linkOf(store, ada, ["users:write"]);
  const second = await issuePasswordLink(store, { user: ada, createdBy: owner.id }, nowMs);
  assertEquals(await redeemed(store, first.link), false);
  assertEquals(
    await redeemed(store, second, async () => {
      await linkOf(store, ada, ["users:write"]);
    }),
    false,
    "a link that is made while the password is hashed counts, too",
  );
});

testOnStores("a password link is used once, also by concurrent callers", async (store) => {
  await addPeople(store);
  const { link } = await linkOf(store, ada, ["users:write"]);
  const hash = () => Promise.resolve(crypto.randomUUID());
  const all = await Promise.all(
    Array.from(
      { length: 20 },
      () => redeemPasswordLink({ store, passwords: { hash }, nowMs }, { token: link, password }),
    ),
  );
  assertEquals(all.filter((saved) => saved !== undefined).length, 1);
});

for (
  const [what, end, again] of [
    ["demoted", { role: "member" }, { role: "administrator" }],
    ["disabled", { enabled: false }, { enabled: true }],
  ] as const
) {
  testOnStores(`links of a maker who was ${what} for a moment stay ended`, async (store) => {
    await addPeople(store);
    const draft = { email: "lea@example.com", role: "administrator", spending: "prepaid" } as const;
    const issued = await issueInvitation(store, maker, draft, { nowMs });
    assert(issued.type === "issued");
    const link = await issuePasswordLink(store, { user: ada, createdBy: maker.id }, nowMs);
    const session = await startSession(store, maker, { nowMs });
    await updateUser(store, maker.id, (one) => ({ ...one, ...end }));
    const restored = await updateUser(store, maker.id, (one) => ({ ...one, ...again }));
    assertEquals(await openPasswordLink(store, link, nowMs), undefined);
    assertEquals(await openInvitation(store, issued.token, nowMs), undefined);
    assertEquals(await openSession(store, session.token, { nowMs }), undefined);
    const next = await issueInvitation(store, restored ?? maker, draft, { nowMs });
    assert(next.type === "issued");
    assertEquals((await openInvitation(store, next.token, nowMs))?.email, draft.email);
  });
}

const ends = {
  "its token is revoked": (store, tokenId) => deleteAdminToken(store, tokenId),
  "its maker is demoted": (store) =>
    updateUser(store, maker.id, (one) => ({ ...one, role: "member" as const })),
  "its maker is disabled": (store) =>
    updateUser(store, maker.id, (one) => ({ ...one, enabled: false })),
  "its maker is deleted": (store) => deleteUser(store, maker.id),
  "its user is promoted": (store) => setRole(store, "administrator"),
  "its user is disabled": (store) =>
    updateUser(store, ada.id, (one) => ({ ...one, enabled: false })),
  "the password changes": (store) =>
    updateUser(store, ada.id, (one) => ({ ...one, passwordHash: ada.passwordHash + "2" })),
} satisfies Record<string, (store: Store, tokenId: string) => Promise<unknown>>;

for (const [what, end] of Object.entries(ends)) {
  testOnStores(`a password link sets nothing if ${what} while it is used`, async (store) => {
    await addPeople(store);
    const { link, token } = await linkOf(store, ada, ["*"]);
    const hash = async () => {
      await end(store, token.id);
      return "$argon2id$v=19$m=1$c2FsdA$b3RoZXI";
    };
    const at = { store, passwords: { hash }, nowMs };
    assertEquals(await redeemPasswordLink(at, { token: link, password }), undefined);
    assertEquals(await openPasswordLink(store, link, nowMs), undefined);
  });
}

testOnStores("a password link holds as long as its token may act on the account", async (store) => {
  await addPeople(store);
  await setRole(store, "administrator");
  const boss = { ...ada, role: "administrator" as const };
  assertEquals(await redeemed(store, (await linkOf(store, boss, ["users:write"])).link), false);
  assertEquals(await redeemed(store, (await linkOf(store, boss, ["users:read"])).link), false);
  const draft = { name: "short", userId: maker.id, scopes: ["*"], expiresAtMs: nowMs + 1_000 };
  const { token } = await issueAdminToken(store, draft, { nowMs });
  const made = { user: boss, createdBy: maker.id, tokenId: token.id };
  const link = await issuePasswordLink(store, made, nowMs);
  assertEquals((await openPasswordLink(store, link, nowMs + 999))?.id, ada.id);
  assertEquals(await openPasswordLink(store, link, nowMs + 1_000), undefined, "expired");
  assertEquals(await redeemed(store, (await linkOf(store, boss, ["*"])).link), true);
});

testOnStores("an invitation ends with the token that made it", async (store) => {
  await addPeople(store);
  const draft = { name: "script", userId: maker.id, scopes: ["users:write"] };
  const { token } = await issueAdminToken(store, draft, { nowMs });
  const invited = { email: "lea@example.com", role: "member", spending: "prepaid" } as const;
  const by = { tokenId: token.id };
  const issued = await issueInvitation(store, maker, invited, { nowMs, ...by });
  assert(issued.type === "issued");
  assertEquals((await openInvitation(store, issued.token, nowMs))?.email, invited.email);
  const hash = async () => {
    await deleteAdminToken(store, token.id);
    return "$argon2id$v=19$m=1$c2FsdA$aGFzaA";
  };
  const at = { store, passwords: { hash }, nowMs };
  assertEquals(await acceptInvitation(at, { token: issued.token, password }), undefined);
  assertEquals(await openInvitation(store, issued.token, nowMs), undefined);
});
