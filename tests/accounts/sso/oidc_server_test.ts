import { assertEquals, assertRejects } from "@std/assert";
import { SingleSignOn, SsoError, type SsoFlow } from "../../../lib/accounts/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { providersOf, settingsOf } from "./fake_provider.ts";
import { type OidcServer, signInAtServer, startOidcServer } from "./oidc_server.ts";

const redirectUri = "http://localhost/login/sso/acme/callback";

interface Scene {
  readonly server: OidcServer;
  readonly sso: SingleSignOn;
  /** Signs in at the provider; returns the flow, and the parameters with which it answers. */
  readonly visit: (
    name: string,
    purpose?: SsoFlow["purpose"],
  ) => Promise<{ readonly flow: SsoFlow; readonly answer: URLSearchParams }>;
}

/** Signs in at a certified provider. It keeps timers and connections of its own. */
function testServer(name: string, run: (scene: Scene) => Promise<void>): void {
  Deno.test({
    name: `sso with oidc-provider: ${name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      await using server = await startOidcServer(redirectUri);
      const store = await openStore({ location: { type: "memory" } });
      const sso = new SingleSignOn(
        providersOf(settingsOf(server, { administratorGroups: ["admins"] })),
      );
      await run({ server, sso, visit: (name, purpose) => visit({ sso, store }, name, purpose) });
      store.close();
    },
  });
}

async function visit(
  { sso, store }: { readonly sso: SingleSignOn; readonly store: Store },
  name: string,
  purpose: SsoFlow["purpose"] = { type: "sign-in" },
) {
  const at = { store, nowMs: Date.now() };
  const begun = await sso.begin(at, { provider: "acme", purpose, next: "/", redirectUri });
  const back = await signInAtServer(begun.url, name);
  return { flow: await sso.open(at, "acme", begun.sealed), answer: back.searchParams };
}

async function assertInvalid(run: () => Promise<unknown>): Promise<void> {
  const error = await assertRejects(run, SsoError);
  assertEquals(error.failure, "invalid", error.message);
}

testServer("a user signs in, with address and groups from UserInfo", async (scene) => {
  const { flow, answer } = await scene.visit("ada");
  assertEquals(await scene.sso.identify(flow, answer), {
    issuer: scene.server.issuer,
    subject: "ada",
    email: "ada@example.com",
    groups: ["admins"],
  });
});

testServer("a code works once", async ({ visit, sso }) => {
  const { flow, answer } = await visit("ada");
  await sso.identify(flow, answer);
  await assertInvalid(() => sso.identify(flow, answer));
});

testServer("state, nonce and verifier are those of this sign-in", async ({ visit, sso }) => {
  for (const field of ["state", "nonce", "verifier"] as const) {
    const { flow, answer } = await visit("ada");
    const other = { ...flow, [field]: "x".repeat(43) };
    await assertInvalid(() => sso.identify(other, answer));
  }
});

testServer("the answer of another provider is refused before its code is sent", async (scene) => {
  await using other = await startOidcServer(redirectUri);
  const mixedUp = new SingleSignOn(providersOf(settingsOf(other)));
  const { flow, answer } = await scene.visit("ada");
  await assertInvalid(() => mixedUp.identify(flow, answer));
  assertEquals((await scene.sso.identify(flow, answer)).subject, "ada"); // its code is still good
});

testServer("a proof asks for the credentials again", async ({ visit, sso }) => {
  const { flow, answer } = await visit("ada", { type: "prove", sessionDigest: "x" });
  assertEquals((await sso.identify(flow, answer)).subject, "ada");
});
