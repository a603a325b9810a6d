import { assert, assertEquals } from "@std/assert";
import {
  admitIdentity,
  isOwnIdentity,
  issueInvitation,
  issuePasswordLink,
  linkIdentity,
  openPasswordLink,
  openSession,
  removeUser,
  type SsoArrival,
  startSession,
} from "../../../lib/accounts/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { Store } from "../../../lib/store/mod.ts";
import {
  createPasskey,
  createSession,
  createUser,
  getUser,
  getUserByEmail,
  listIdentities,
  listInvitations,
  listPasskeys,
  listSessions,
  listUsers,
  type Passkey,
  type Session,
  updateUser,
  type User,
} from "../../../lib/store/users/mod.ts";
import { administrator, member, nowMs } from "../../console/people.ts";
import { testOnStores } from "../../store/temp_store.ts";
import { providersOf } from "./fake_provider.ts";

const settings = { id: "acme", name: "Acme", issuer: "https://login.example.com", clientId: "x" };
const mira = {
  issuer: "https://login.example.com",
  subject: "1",
  email: "mira@example.com",
  groups: [] as readonly string[],
};

const passkey: Passkey = {
  ...{ id: "0".repeat(64), credentialId: "AAAA", userId: member.id, rpId: "localhost" },
  ...{ publicKey: "AAAA", counter: 0, transports: [], name: "Laptop", isSynced: false },
  createdAtMs: nowMs,
};

const session: Session = {
  ...{ digest: "a".repeat(64), userId: member.id, createdAtMs: nowMs, lastSeenAtMs: nowMs },
  expiresAtMs: nowMs + 3_600_000,
};

const passwordHash = "$argon2id$v=19$m=1$c2FsdA$aGFzaA";
const owner: User = { ...administrator, passwordHash };
const used: User = { ...member, passwordHash };

/**
 * The arrival of an identity, whose changes are recorded in the user's own name. `others` are further
 * providers of the configuration.
 */
function arrivalOf(
  fields: Record<string, unknown> = {},
  identity: Partial<SsoArrival["identity"]> = {},
  others: readonly Record<string, unknown>[] = [],
): SsoArrival {
  const providers = providersOf({ ...settings, ...fields }, ...others);
  return {
    provider: providers[0],
    providers,
    identity: { ...mira, ...identity },
    draft: ({ id, email }, entry) => ({
      ...entry,
      kind: "user",
      atMs: nowMs,
      actorId: id,
      actorName: email,
      targetId: id,
      targetName: email,
    }),
  };
}

async function audited(store: Store) {
  const { entries } = await listAuditEntries(store, { limit: 10 });
  return entries.map(({ action, changes, reason, targetName }) => ({
    action,
    changes,
    ...(reason !== undefined && { reason }),
    targetName,
  }));
}

function admit(store: Store, arrival: SsoArrival) {
  return admitIdentity({ store, nowMs, settings: { signUp: "invitation" } }, arrival);
}

async function assertRefused(store: Store, arrival: SsoArrival, reason: string): Promise<void> {
  assertEquals(await admit(store, arrival), { type: "refused", reason } as never);
}

testOnStores("sso: the first sign-in creates an account, the next ones find it", async (store) => {
  const first = await admit(store, arrivalOf());
  assert(first.type === "admitted");
  const { user } = first;
  assertEquals(
    [user.email, user.role, user.spending, user.passwordHash],
    ["mira@example.com", "member", "prepaid", undefined],
  );
  const moved = arrivalOf({}, { email: "mira@other.example" });
  assertEquals(await admit(store, moved), { type: "admitted", user });
  const [identity] = await listIdentities(store, user.id);
  assertEquals([identity.email, identity.lastUsedAtMs], ["mira@other.example", nowMs]);
  assertEquals((await listUsers(store)).length, 1);
  assertEquals(await audited(store), [{
    action: "joined",
    changes: [
      { field: "role", after: "member" },
      { field: "identity", after: "Acme: mira@example.com" },
    ],
    targetName: "mira@example.com",
  }]);
});

testOnStores("sso: simultaneous first sign-ins create one account", async (store) => {
  const admissions = await Promise.all(Array.from({ length: 5 }, () => admit(store, arrivalOf())));
  const ids = admissions.map((one) => one.type === "admitted" ? one.user.id : one.reason);
  assertEquals(new Set(ids).size, 1);
  assertEquals((await listUsers(store)).length, 1);
});

testOnStores(
  "sso: a name of the provider that is another's e-mail gives nothing",
  async (store) => {
    await createUser(store, used);
    await assertRefused(store, arrivalOf({}, { email: member.email }), "exists");
    assertEquals(await listIdentities(store, member.id), []);
  },
);

testOnStores(
  "sso: a trusted domain links a member's account, no administrator's",
  async (store) => {
    await Promise.all([owner, used].map((one) => createUser(store, one)));
    const trusted = { trustedDomains: ["example.com"] };
    const own = await admit(store, arrivalOf(trusted, { email: member.email }));
    assertEquals(own, { type: "admitted", user: member });
    const entryOf = (changes: { field: string; after: string }[]) => ({
      action: "changed" as const,
      changes,
      targetName: "member@example.com",
    });
    assertEquals(
      new Set(await audited(store)),
      new Set([
        entryOf([{ field: "password", after: "reset" }, { field: "secondStep", after: "reset" }]),
        entryOf([{ field: "identity", after: "Acme: member@example.com" }]),
      ]),
    );
    const owners = arrivalOf(trusted, { subject: "2", email: administrator.email });
    await assertRefused(store, owners, "exists");
  },
);

testOnStores(
  "sso: whoever had the address before its owner keeps no way in to a linked account",
  async (store) => {
    await createUser(store, used);
    const at = { store, nowMs };
    const strangers = arrivalOf({}, { subject: "stranger", email: "stranger@example.org" });
    const earlier = arrivalOf({}, { subject: "earlier", email: member.email });
    for (const one of [strangers, earlier]) {
      assertEquals((await linkIdentity(at, one, used)).type, "admitted");
    }
    await createPasskey(store, passkey);
    await createSession(store, session, nowMs);
    const trusted = { trustedDomains: ["example.com"] };
    const own = await admit(store, arrivalOf(trusted, { email: member.email }));
    assertEquals(own, { type: "admitted", user: member });
    assertEquals((await getUser(store, member.id))?.passwordHash, undefined);
    assertEquals(await listPasskeys(store, member.id), []);
    assertEquals(await listSessions(store, member.id), []);
    const subjects = (await listIdentities(store, member.id)).map(({ subject }) => subject);
    assertEquals(subjects.toSorted(), ["1", "earlier"]);
  },
);

const kept: readonly {
  readonly reason: string;
  readonly settings?: Record<string, unknown>;
  readonly identity?: Partial<SsoArrival["identity"]>;
}[] = [
  { reason: "email", identity: { email: undefined } },
  { reason: "email", settings: { domains: ["example.com"] }, identity: { email: undefined } },
  { reason: "domain", settings: { domains: ["acme.example"] } },
  { reason: "domain", settings: { domains: ["ample.com"] } },
  { reason: "group", settings: { allowedGroups: ["staff"] }, identity: { groups: ["staffing"] } },
  { reason: "group", settings: { allowedGroups: [] } },
  { reason: "unknown", settings: { createAccounts: false } },
];

for (const { reason, settings = {}, identity = {} } of kept) {
  testOnStores(
    `sso: ${JSON.stringify({ ...settings, ...identity })} refuses a stranger: ${reason}`,
    async (store) => {
      await assertRefused(store, arrivalOf(settings, identity), reason);
      assertEquals(await listUsers(store), []);
      const [entry] = await audited(store);
      assertEquals(entry.action, "refused");
    },
  );
}

testOnStores("sso: a repeated refusal is recorded once", async (store) => {
  const arrival = arrivalOf({ domains: ["acme.example"] });
  for (let attempt = 0; attempt < 5; attempt++) await assertRefused(store, arrival, "domain");
  assertEquals((await audited(store)).length, 1);
});

testOnStores("sso: a disabled account stays closed", async (store) => {
  const first = await admit(store, arrivalOf());
  assert(first.type === "admitted");
  await updateUser(store, first.user.id, (user) => ({ ...user, enabled: false }));
  await assertRefused(store, arrivalOf(), "disabled");
  await createUser(store, { ...used, enabled: false });
  const trusted = { trustedDomains: ["example.com"] };
  await assertRefused(store, arrivalOf(trusted, { subject: "2", email: member.email }), "disabled");
  assertEquals(await listIdentities(store, member.id), []);
});

testOnStores("sso: groups give and take the administrator's role", async (store) => {
  const settings = { administratorGroups: ["admins"] };
  const enter = async (groups: readonly string[]) => {
    const admission = await admit(store, arrivalOf(settings, { groups }));
    return admission.type === "admitted" ? admission.user.role : admission.reason;
  };
  assertEquals(await enter(["staff"]), "member");
  assertEquals(await enter(["staff", "admins"]), "administrator");
  assertEquals(await enter(["admins"]), "administrator");
  assertEquals(await enter([]), "member");
  const changed = (await audited(store)).filter(({ action }) => action === "changed");
  const changesOf = (from: string, to: string) => [{ field: "role", before: from, after: to }];
  assertEquals(
    new Set(changed.map(({ changes, reason }) => ({ changes, reason }))),
    new Set([
      { changes: changesOf("administrator", "member"), reason: "Acme: groups" },
      { changes: changesOf("member", "administrator"), reason: "Acme: groups" },
    ]),
  );
  assertEquals((await audited(store)).length, 3);
});

testOnStores("sso: the highest role of a user's groups counts", async (store) => {
  const lists = { billingGroups: ["finance"], viewerGroups: ["audit", "finance"] };
  const enter = async (groups: readonly string[], settings: Record<string, unknown> = lists) => {
    const admission = await admit(store, arrivalOf(settings, { groups }));
    return admission.type === "admitted" ? admission.user.role : admission.reason;
  };
  assertEquals(await enter(["audit"]), "viewer");
  assertEquals(await enter(["audit", "finance"]), "billing");
  assertEquals(
    await enter(["finance"], { ...lists, administratorGroups: ["finance"] }),
    "administrator",
  );
  assertEquals(await enter([]), "member");
  await enter(["audit"], { viewerGroups: ["audit"] });
  assertEquals(await enter([], {}), "viewer", "without lists, the console sets roles");
});

testOnStores("sso: groups do not change the first administrator's role", async (store) => {
  await createUser(store, owner);
  const arrival = arrivalOf({ administratorGroups: ["admins"] }, { email: administrator.email });
  const linked = await linkIdentity({ store, nowMs }, arrival, administrator);
  assertEquals(linked.type, "admitted");
  assertEquals(await admit(store, arrival), { type: "admitted", user: owner });
});

testOnStores("sso: an identity is linked to one account only", async (store) => {
  await Promise.all([owner, used].map((one) => createUser(store, one)));
  const at = { store, nowMs };
  assertEquals((await linkIdentity(at, arrivalOf(), administrator)).type, "admitted");
  assertEquals((await linkIdentity(at, arrivalOf(), administrator)).type, "admitted");
  const taken = { type: "refused", reason: "taken" } as const;
  assertEquals(await linkIdentity(at, arrivalOf(), member), taken);
  assert(await isOwnIdentity(store, mira, administrator.id));
  assert(!await isOwnIdentity(store, mira, member.id));
  assert(!await isOwnIdentity(store, { ...mira, issuer: "https://x.example" }, administrator.id));
  const domain = arrivalOf({ domains: ["acme.example"] }, { subject: "2" });
  assertEquals(await linkIdentity(at, domain, member), { type: "refused", reason: "domain" });
});

testOnStores("sso: a removed user's identity is free again", async (store) => {
  const first = await admit(store, arrivalOf());
  assert(first.type === "admitted");
  await removeUser(store, first.user.id);
  assertEquals(await listIdentities(store, first.user.id), []);
  const again = await admit(store, arrivalOf());
  assert(again.type === "admitted" && again.user.id !== first.user.id);
  assertEquals((await getUserByEmail(store, mira.email))?.id, again.user.id);
  assertEquals(await getUser(store, first.user.id), undefined);
});

async function invite(store: Store): Promise<void> {
  await createUser(store, owner);
  const draft = { email: mira.email, role: "administrator", spending: "unlimited" } as const;
  const issued = await issueInvitation(store, administrator, draft, { nowMs });
  assertEquals(issued.type, "issued");
}

const invitedOnly = { createAccounts: false };

testOnStores("sso: an invitation to the address creates the account, once", async (store) => {
  await invite(store);
  const other = arrivalOf(invitedOnly, { subject: "2", email: "lea@example.com" });
  await assertRefused(store, other, "unknown");
  const first = await admit(store, arrivalOf(invitedOnly));
  assert(first.type === "admitted");
  assertEquals([first.user.role, first.user.spending], ["member", "unlimited"]);
  assertEquals(await listInvitations(store), []);
});

testOnStores("sso: groups give the role before the invitation does", async (store) => {
  await invite(store);
  const first = await admit(store, arrivalOf({ administratorGroups: ["admins"] }));
  assertEquals(first.type === "admitted" && first.user.role, "member");
});

testOnStores("sso: an invitation that does not hold invites nobody", async (store) => {
  await invite(store);
  const arrival = arrivalOf(invitedOnly);
  const refused = { type: "refused", reason: "unknown" } as const;
  const closed = { store, nowMs, settings: { signUp: "closed" } } as const;
  assertEquals(await admitIdentity(closed, arrival), refused);
  const expired = { store, nowMs: nowMs + 8 * 86_400_000, settings: { signUp: "open" } } as const;
  assertEquals(await admitIdentity(expired, arrival), refused);
});

testOnStores("sso: an account that nobody can sign in to is linked, once", async (store) => {
  await createUser(store, member);
  const own = await admit(store, arrivalOf({}, { email: member.email }));
  assertEquals(own, { type: "admitted", user: member });
  await assertRefused(store, arrivalOf({}, { subject: "2", email: member.email }), "exists");
});

const trusted = { trustedDomains: ["example.com"] };
/** Another provider, which assigns the addresses. */
const directory = {
  ...{ id: "directory", issuer: "https://directory.example.com", clientId: "x" },
  ...trusted,
};

for (const [what, fields] of [["no", {}], ["a trusted", trusted]] as const) {
  testOnStores(`sso: ${what} provider claims an administrator by e-mail`, async (store) => {
    const boss = { ...member, role: "administrator" } as const;
    await Promise.all([administrator, boss].map((one) => createUser(store, one)));
    for (const { id, email } of [administrator, boss]) {
      await assertRefused(store, arrivalOf(fields, { email, subject: id }), "exists");
      assertEquals(await listIdentities(store, id), []);
    }
    const linked = await linkIdentity({ store, nowMs }, arrivalOf(fields), boss);
    assertEquals(linked.type, "admitted", "who is signed in links it");
  });
}

testOnStores("sso: an address of a trusted domain counts at its provider alone", async (store) => {
  await createUser(store, member);
  const [own] = providersOf(directory);
  const elsewhere = (fields: Record<string, unknown> = {}, email = member.email) =>
    arrivalOf(fields, { email }, [directory]);
  await assertRefused(store, elsewhere(), "elsewhere");
  await assertRefused(store, elsewhere({ domains: ["example.com"] }), "elsewhere");
  await assertRefused(store, elsewhere({}, "new@example.com"), "elsewhere");
  assertEquals(await listIdentities(store, member.id), []);
  assertEquals((await listUsers(store)).length, 1);
  const lea = arrivalOf({}, { email: "lea@other.example", subject: "lea" }, [directory]);
  assertEquals((await admit(store, lea)).type, "admitted");
  const both = elsewhere(trusted);
  assertEquals(await admit(store, both), { type: "admitted", user: member });
  const theirs = { ...both, provider: own, providers: both.providers };
  const identity = { ...theirs.identity, issuer: own.issuer };
  assertEquals(await admit(store, { ...theirs, identity }), { type: "admitted", user: member });
  assertEquals((await listIdentities(store, member.id)).length, 2, "two providers are trusted");
});

testOnStores(
  "sso: an invitation to a trusted domain counts at its provider alone",
  async (store) => {
    await invite(store);
    const arrival = arrivalOf(invitedOnly, {}, [directory]);
    await assertRefused(store, arrival, "elsewhere");
    assertEquals((await listInvitations(store)).length, 1);
  },
);

testOnStores(
  "sso: an identity that was linked before goes on where the domain is trusted",
  async (store) => {
    await createUser(store, used);
    const arrival = arrivalOf({ domains: ["example.com"] }, { email: member.email }, [directory]);
    assertEquals((await linkIdentity({ store, nowMs }, arrival, used)).type, "admitted");
    assertEquals(await admit(store, arrival), { type: "admitted", user: used });
  },
);

testOnStores(
  "sso: a stranger's provider that states the address is no way in to a linked account",
  async (store) => {
    await createUser(store, used);
    const stranger = arrivalOf({ id: "evil", issuer: "https://evil.example" }, {
      ...{ issuer: "https://evil.example", subject: "stranger", email: member.email },
    });
    assertEquals((await linkIdentity({ store, nowMs }, stranger, used)).type, "admitted");
    assertEquals((await admit(store, stranger)).type, "admitted");
    const own = arrivalOf(trusted, { email: member.email });
    assertEquals((await admit(store, own)).type, "admitted");
    const subjects = (await listIdentities(store, member.id)).map(({ subject }) => subject);
    assertEquals(subjects, ["1"]);
  },
);

testOnStores("sso: a link by e-mail ends the account's password link", async (store) => {
  for (const one of [administrator, member]) await createUser(store, one);
  const made = { user: member, createdBy: administrator.id };
  const link = await issuePasswordLink(store, made, nowMs);
  assertEquals((await openPasswordLink(store, link, nowMs))?.id, member.id);
  assertEquals((await admit(store, arrivalOf({}, { email: member.email }))).type, "admitted");
  assertEquals(await openPasswordLink(store, link, nowMs), undefined);
});

testOnStores("sso: an account that is promoted meanwhile is not claimed", async (store) => {
  await createUser(store, member);
  const arrival = arrivalOf({}, { email: member.email });
  let isLinking = false;
  const draft: SsoArrival["draft"] = (...drafted) => {
    isLinking = true;
    return arrival.draft(...drafted);
  };
  const slow = beforeCommits(store, async () => {
    if (isLinking) await updateUser(store, member.id, (one) => ({ ...one, role: "administrator" }));
  });
  const admission = await admit(slow, { ...arrival, draft });
  assertEquals(admission.type, "refused");
  assertEquals((await getUser(store, member.id))?.role, "administrator");
  assertEquals(await listIdentities(store, member.id), []);
});

/** The same store, where something happens before each commit. */
function beforeCommits({ kv, ...options }: Store, act: () => Promise<void>): Store {
  const atomic = () => {
    const operation = kv.atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = async () => {
      await act();
      return await commit();
    };
    return operation;
  };
  const get = (_: Store["kv"], name: keyof Store["kv"]) => {
    if (name === "atomic") return atomic;
    const value = kv[name];
    return typeof value === "function" ? value.bind(kv) : value;
  };
  return new Store(new Proxy(kv, { get } as ProxyHandler<Store["kv"]>), options); // every name is a key
}

testOnStores(
  "sso: groups that promote end the user's other sessions and password link",
  async (store) => {
    const settings = { administratorGroups: ["admins"] };
    const first = await admit(store, arrivalOf(settings));
    assert(first.type === "admitted");
    await createUser(store, administrator);
    const link = await issuePasswordLink(store, { user: first.user, createdBy: "owner" }, nowMs);
    const earlier = await startSession(store, first.user, { nowMs });
    const next = await admit(store, arrivalOf(settings, { groups: ["admins"] }));
    assert(next.type === "admitted" && next.user.role === "administrator");
    assertEquals(await openSession(store, earlier.token, { nowMs }), undefined);
    assertEquals(await openPasswordLink(store, link, nowMs), undefined);
    const { token } = await startSession(store, next.user, { nowMs });
    assertEquals((await openSession(store, token, { nowMs }))?.user.role, "administrator");
  },
);

testOnStores("sso: an account with a passkey is not linked by its address", async (store) => {
  await createUser(store, member);
  await createPasskey(store, passkey);
  await assertRefused(store, arrivalOf({}, { email: member.email }), "exists");
});
