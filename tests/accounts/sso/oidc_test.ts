import { assert, assertEquals, assertRejects } from "@std/assert";
import { SingleSignOn, SsoError, type SsoFailure } from "../../../lib/accounts/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { FakeProvider, type Faults, providersOf, settingsOf } from "./fake_provider.ts";

const redirectUri = "http://localhost/login/sso/acme/callback";
const draft = { provider: "acme", purpose: { type: "sign-in" }, next: "/", redirectUri } as const;

interface Scene {
  readonly store: Store;
  readonly provider: FakeProvider;
  readonly sso: SingleSignOn;
}

function testProvider(name: string, run: (scene: Scene) => Promise<void>): void {
  Deno.test(`sso: ${name}`, async () => {
    await using provider = await FakeProvider.start();
    const store = await openStore({ location: { type: "memory" } });
    try {
      const sso = new SingleSignOn(providersOf(settingsOf(provider)));
      await run({ store, provider, sso });
    } finally {
      store.close();
    }
  });
}

/** Goes to the provider as a browser does; returns what brings it back. */
async function visit(
  { store, sso }: Scene,
  purpose: Parameters<SingleSignOn["begin"]>[1]["purpose"] = draft.purpose,
) {
  const at = { store, nowMs: Date.now() };
  const { url, sealed } = await sso.begin(at, { ...draft, purpose });
  const response = await fetch(url, { redirect: "manual" });
  await response.body?.cancel();
  return { sealed, back: new URL(response.headers.get("location") ?? "") };
}

async function arrive({ store, sso }: Scene, { sealed, back }: Awaited<ReturnType<typeof visit>>) {
  const flow = await sso.open({ store, nowMs: Date.now() }, "acme", sealed);
  return await sso.identify(flow, back.searchParams);
}

async function assertFails(
  failure: SsoFailure,
  run: () => Promise<unknown>,
  message?: RegExp,
): Promise<void> {
  const error = await assertRejects(run, SsoError);
  assertEquals(error.failure, failure, error.message);
  if (message) assert(message.test(error.message), error.message);
}

testProvider("a right answer says who signed in", async (scene) => {
  const identity = await arrive(scene, await visit(scene));
  assertEquals(identity, {
    issuer: scene.provider.issuer,
    subject: "248289761001",
    email: "mira@example.com",
    groups: [],
  });
  const [asked] = scene.provider.authorizations;
  assertEquals(asked.get("code_challenge_method"), "S256");
  assertEquals(asked.get("scope"), "openid email profile");
  assertEquals(asked.get("redirect_uri"), redirectUri);
});

/** Each breaks one rule of OpenID Connect or RFC 9207. */
const hostile: readonly {
  readonly name: string;
  readonly faults: Faults;
  readonly failure?: SsoFailure;
  readonly message: RegExp;
}[] = [
  {
    name: "the iss of another provider",
    faults: { answer: { iss: "https://other.example" } },
    message: /"iss"/,
  },
  { name: "a missing iss", faults: { answer: { iss: null } }, message: /"iss"/ },
  { name: "the state of another sign-in", faults: { answer: { state: "x" } }, message: /"state"/ },
  { name: "a missing state", faults: { answer: { state: null } }, message: /"state"/ },
  { name: "a wrong nonce", faults: { idToken: { nonce: "x" } }, message: /nonce/ },
  { name: "a missing nonce", faults: { idToken: { nonce: undefined } }, message: /nonce/ },
  {
    name: "an ID token of another issuer",
    faults: { idToken: { iss: "https://other.example" } },
    message: /iss/,
  },
  {
    name: "an ID token for another client",
    faults: { idToken: { aud: "other" } },
    message: /aud/,
  },
  {
    name: "an expired ID token",
    faults: { idToken: { exp: Math.floor(Date.now() / 1_000) - 60 } },
    message: /exp/,
  },
  {
    name: "an ID token of the future",
    faults: {
      idToken: {
        iat: Math.floor(Date.now() / 1_000) + 90,
        exp: Math.floor(Date.now() / 1_000) + 600,
      },
    },
    message: /"iat" is in the future/,
  },
  {
    name: "an unsigned ID token",
    faults: { header: { alg: "none" }, signature: "" },
    message: /alg/,
  },
  {
    name: "an unsigned ID token, although the discovery document allows it",
    faults: {
      header: { alg: "none" },
      signature: "",
      discovery: { id_token_signing_alg_values_supported: ["none"] },
    },
    message: /alg/,
  },
  {
    name: "an ID token signed with the client's secret",
    faults: {
      header: { alg: "HS256" },
      discovery: { id_token_signing_alg_values_supported: ["HS256"] },
    },
    message: /alg/,
  },
  { name: "a wrong signature", faults: { signature: "A".repeat(86) }, message: /signature/ },
  { name: "a signature by an unknown key", faults: { header: { kid: "x" } }, message: /key/ },
  { name: "no subject", faults: { idToken: { sub: undefined } }, message: /sub/ },
  { name: "a subject without end", faults: { idToken: { sub: "x".repeat(300) } }, message: /sub/ },
  {
    name: "a user who declines",
    faults: { answer: { code: null, error: "access_denied" } },
    failure: "cancelled",
    message: /access_denied/,
  },
  {
    name: "a discovery document of another issuer",
    faults: { discovery: { issuer: "https://other.example" } },
    failure: "unavailable",
    message: /issuer/,
  },
];

for (const { name, faults, failure = "invalid", message } of hostile) {
  testProvider(`${name} signs nobody in`, async (scene) => {
    scene.provider.faults = faults;
    await assertFails(failure, async () => await arrive(scene, await visit(scene)), message);
  });
}

testProvider("an answer works once", async (scene) => {
  const visited = await visit(scene);
  await arrive(scene, visited);
  await assertFails("expired", () => arrive(scene, visited));
});

testProvider("a code of another sign-in is refused", async (scene) => {
  const stolen = await visit(scene);
  const own = await visit(scene);
  own.back.searchParams.set("code", stolen.back.searchParams.get("code") ?? "");
  await assertFails("invalid", () => arrive(scene, own), /invalid_grant/);
});

testProvider("a sign-in ends after ten minutes", async (scene) => {
  const { sealed } = await visit(scene);
  const open = (nowMs: number) => scene.sso.open({ store: scene.store, nowMs }, "acme", sealed);
  await assertFails("expired", () => open(Date.now() + 600_000));
  assertEquals((await open(Date.now() + 590_000)).provider, "acme");
});

testProvider("a sign-in at one provider is none at another", async (scene) => {
  const { sealed } = await visit(scene);
  const at = { store: scene.store, nowMs: Date.now() };
  await assertFails("invalid", () => scene.sso.open(at, "other", sealed));
});

testProvider("a forged or foreign cookie opens no sign-in", async ({ sso, store }) => {
  for (const sealed of ["", "x", await store.secretBox.seal("{}", "known device")]) {
    await assertFails("expired", () => sso.open({ store, nowMs: 1 }, "acme", sealed));
  }
});

testProvider("new keys of the provider count at once", async (scene) => {
  await arrive(scene, await visit(scene));
  await scene.provider.rotateKeys();
  assertEquals((await arrive(scene, await visit(scene))).subject, "248289761001");
});

testProvider("clocks may differ by some seconds", async (scene) => {
  const now = Math.floor(Date.now() / 1_000);
  scene.provider.faults = { idToken: { iat: now + 20, nbf: now + 20, exp: now - 20 } };
  assertEquals((await arrive(scene, await visit(scene))).subject, "248289761001");
});

const down: readonly { readonly name: string; readonly respond: () => Response }[] = [
  { name: "fails", respond: () => new Response("down", { status: 503 }) },
  { name: "answers nonsense", respond: () => new Response("<html>", { status: 200 }) },
  {
    name: "redirects elsewhere",
    respond: () => Response.redirect("http://127.0.0.1:9/elsewhere"),
  },
];

for (const { name, respond } of down) {
  testProvider(`a provider that ${name} is unavailable`, async (scene) => {
    scene.provider.faults = { respond };
    await assertFails("unavailable", () => visit(scene));
  });
}

Deno.test("sso: a provider that is not there is unavailable", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const issuer = `http://127.0.0.1:${listener.addr.port}`;
  listener.close();
  const store = await openStore({ location: { type: "memory" } });
  const sso = new SingleSignOn(providersOf(settingsOf({ issuer })));
  await assertFails("unavailable", () => sso.begin({ store, nowMs: 1 }, draft), /Cannot reach/);
  store.close();
});

testProvider("a provider that fails between the two steps is unavailable", async (scene) => {
  const visited = await visit(scene);
  scene.provider.faults = {
    respond: (path) => path === "/token" ? new Response(null, { status: 502 }) : undefined,
  };
  await assertFails("unavailable", () => arrive(scene, visited), /502/);
});

testProvider("an answer without end is cut off", async (scene) => {
  const visited = await visit(scene);
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)),
  });
  const headers = { "content-type": "application/json" };
  scene.provider.faults = {
    respond: (path) => path === "/token" ? new Response(endless, { headers }) : undefined,
  };
  await assertFails("invalid", () => arrive(scene, visited), /too much/);
});

testProvider("a redirect of the token endpoint is not followed", async (scene) => {
  const visited = await visit(scene);
  scene.provider.faults = {
    respond: (path) =>
      path === "/token" ? Response.redirect(`${scene.provider.issuer}/stolen`, 307) : undefined,
  };
  await assertFails("invalid", () => arrive(scene, visited));
  assert(!scene.provider.requests.includes("/stolen"));
});

testProvider("an authorization endpoint is an address of the web", async (scene) => {
  scene.provider.faults = { discovery: { authorization_endpoint: "javascript:alert(1)" } };
  await assertFails("unavailable", () => visit(scene), /authorization endpoint/);
});

testProvider("UserInfo completes the ID token, for the same subject only", async (scene) => {
  scene.provider.user = { sub: "1" };
  scene.provider.userInfo = { email: "mira@example.com", email_verified: true };
  assertEquals((await arrive(scene, await visit(scene))).email, "mira@example.com");
  scene.provider.userInfo = { ...scene.provider.userInfo, sub: "2" };
  await assertFails("invalid", async () => await arrive(scene, await visit(scene)), /sub/);
});

testProvider("UserInfo vouches for no address that the ID token states", async (scene) => {
  const provider = settingsOf(scene.provider, { groupsClaim: "groups", allowedGroups: ["staff"] });
  const other = { ...scene, sso: new SingleSignOn(providersOf(provider)) };
  scene.provider.user = { sub: "1", email: "boss@example.com" };
  scene.provider.userInfo = {
    email: "mallory@example.com",
    email_verified: true,
    groups: ["staff"],
  };
  assertEquals((await arrive(other, await visit(other))).email, undefined);
});

testProvider("a proof needs a fresh authentication at the provider", async (scene) => {
  const purpose = { type: "prove", sessionDigest: "x" } as const;
  await arrive(scene, await visit(scene, purpose));
  const asked = scene.provider.authorizations.at(-1);
  assertEquals([asked?.get("prompt"), asked?.get("max_age")], ["login", "0"]);
  const old = Math.floor(Date.now() / 1_000) - 120;
  for (const authTime of [old, undefined]) {
    scene.provider.faults = { idToken: { auth_time: authTime } };
    await assertFails("invalid", async () => await arrive(scene, await visit(scene, purpose)));
  }
});

testProvider("a wrong secret of the client is the operator's fault", async (scene) => {
  const settings = settingsOf(scene.provider, { clientSecret: "wrong-secret" });
  const sso = new SingleSignOn(providersOf(settings));
  const other = { ...scene, sso };
  await assertFails("unavailable", async () => await arrive(other, await visit(other)));
});
