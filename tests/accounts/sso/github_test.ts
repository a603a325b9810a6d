import { assertEquals, assertRejects } from "@std/assert";
import { SingleSignOn, SsoError } from "../../../lib/accounts/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { FakeGitHub } from "./fake_github.ts";
import { providersOf } from "./fake_provider.ts";

const redirectUri = "http://localhost/login/sso/github/callback";
const draft = { provider: "github", purpose: { type: "sign-in" }, next: "/", redirectUri } as const;

type Change = (back: URL) => void;

async function signIn(github: FakeGitHub, change: Change = () => {}) {
  const { issuer } = github;
  const settings = {
    id: "github",
    preset: "github",
    issuer,
    clientId: "x",
    clientSecret: "s3cret",
  };
  const sso = new SingleSignOn(providersOf({ ...settings, domains: ["example.com"] }));
  const store = await openStore({ location: { type: "memory" } });
  try {
    const at = { store, nowMs: Date.now() };
    const { url, sealed } = await sso.begin(at, draft);
    const response = await fetch(url, { redirect: "manual" });
    await response.body?.cancel();
    const back = new URL(response.headers.get("location") ?? "");
    change(back);
    return await sso.identify(await sso.open(at, "github", sealed), back.searchParams);
  } finally {
    store.close();
  }
}

Deno.test("sso: GitHub says who signed in, by number and primary address", async () => {
  await using github = new FakeGitHub();
  assertEquals(await signIn(github), {
    issuer: `${github.issuer}/login/oauth`,
    subject: "583231",
    email: "mira@example.com",
    groups: [],
  });
  const [authorize] = github.requests;
  const asked = new URL(authorize.url).searchParams;
  assertEquals([asked.get("scope"), asked.get("code_challenge_method")], ["user:email", "S256"]);
});

Deno.test("sso: GitHub's unverified primary address does not count", async () => {
  await using github = new FakeGitHub();
  github.emails = github.emails.map((one) => one.primary ? { ...one, verified: false } : one);
  assertEquals((await signIn(github)).email, undefined);
});

const wrong: readonly (readonly [string, Change])[] = [
  ["a code that GitHub did not issue", (back) => back.searchParams.set("code", "x")],
  ["the state of another sign-in", (back) => back.searchParams.set("state", "x")],
  ["the iss of another provider", (back) => back.searchParams.set("iss", "https://other.example")],
];

for (const [name, change] of wrong) {
  Deno.test(`sso: GitHub and ${name} sign nobody in`, async () => {
    await using github = new FakeGitHub();
    const error = await assertRejects(() => signIn(github, change), SsoError);
    assertEquals(error.failure, "invalid");
  });
}

Deno.test("sso: an answer of GitHub's API that is not what it documents signs nobody in", async () => {
  await using github = new FakeGitHub();
  github.user = { id: "1" as unknown as number, login: "x" }; // a type that GitHub does not send
  const error = await assertRejects(() => signIn(github), SsoError);
  assertEquals([error.failure, error.message], ["invalid", "GitHub answered 200 for /user"]);
});
