import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type Config, ConfigError, loadConfig } from "../../lib/config.ts";

const provider = { id: "acme", issuer: "https://login.example.com", clientId: "tessera" };
const google = { id: "google", preset: "google", clientId: "x", domains: ["example.com"] };
const github = { ...google, id: "github", preset: "github", clientSecret: "s3cret" };

function load(signIn: unknown, env: Record<string, string> = {}): Config["signIn"] {
  const text = JSON.stringify({ signIn });
  return loadConfig({ ...env, TESSERA_CONFIG: "x" }, () => text).signIn;
}

Deno.test("signIn: nothing set means passwords and passkeys for everyone", () => {
  assertEquals(load(undefined), { local: "everyone", providers: [] });
});

Deno.test("signIn: a provider gets every default", () => {
  assertEquals(load({ providers: [provider] }).providers, [{
    ...provider,
    type: "oidc",
    name: "acme",
    scopes: ["openid", "email", "profile"],
    trustedDomains: [],
    createAccounts: true,
    groupsClaim: "groups",
  }]);
});

Deno.test("signIn: presets know name, issuer and scopes", () => {
  const facts = load({ providers: [google, github] }).providers
    .map(({ type, name, issuer, scopes, domains }) => ({ type, name, issuer, scopes, domains }));
  const domains = ["example.com"];
  assertEquals(facts, [
    {
      type: "google",
      name: "Google",
      issuer: "https://accounts.google.com",
      scopes: ["openid", "email", "profile"],
      domains,
    },
    {
      type: "github",
      name: "GitHub",
      issuer: "https://github.com",
      scopes: ["user:email"],
      domains,
    },
  ]);
});

Deno.test("signIn: * admits every domain", () => {
  const [{ domains }] = load({ providers: [{ ...google, domains: ["*"] }] }).providers;
  assertEquals(domains, undefined);
});

const faults: readonly (readonly [name: string, signIn: unknown, message: string])[] = [
  ["no issuer", { providers: [{ ...provider, issuer: undefined }] }, "providers[0].issuer"],
  [
    "an issuer without TLS",
    { providers: [{ ...provider, issuer: "http://login.example.com" }] },
    "providers[0].issuer must be an https address",
  ],
  [
    "an issuer with a query",
    { providers: [{ ...provider, issuer: "https://login.example.com/?x" }] },
    "providers[0].issuer must be an https address",
  ],
  ["another issuer for Google", { providers: [{ ...google, issuer: provider.issuer }] }, "Google"],
  ["an id for no address", { providers: [{ ...provider, id: "a/b" }] }, "providers[0].id"],
  ["two equal ids", { providers: [provider, provider] }, "must differ from signIn.providers[0].id"],
  [
    "Google for anybody without saying so",
    { providers: [{ ...google, domains: undefined }] },
    "providers[0].domains is missing",
  ],
  ["an empty list of domains", { providers: [{ ...provider, domains: [] }] }, "domains"],
  ["a domain that is an address", { providers: [{ ...provider, domains: ["a@b.c"] }] }, "domains"],
  ["a trusted *", { providers: [{ ...provider, trustedDomains: ["*"] }] }, "trustedDomains"],
  ["GitHub without a secret", { providers: [{ ...github, clientSecret: undefined }] }, "Secret"],
  ["groups of GitHub", { providers: [{ ...github, allowedGroups: ["a"] }] }, "states no groups"],
  [
    "addresses of GitHub",
    { providers: [{ ...github, trustedDomains: ["a.example"] }] },
    "assigns no addresses",
  ],
  ["scopes without openid", { providers: [{ ...provider, scopes: ["email"] }] }, "contain openid"],
  ["the owner alone, without a provider", { local: "owner" }, "signIn.local must be everyone"],
  ["an unknown field", { providers: [{ ...provider, issuerr: "x" }] }, "did you mean issuer?"],
];

for (const [name, signIn, message] of faults) {
  Deno.test(`signIn refuses ${name}`, () => {
    assertStringIncludes(assertThrows(() => load(signIn), ConfigError).message, message);
  });
}

Deno.test("signIn: issuers on this machine need no TLS", () => {
  const issuer = "http://127.0.0.1:9000";
  assertEquals(load({ providers: [{ ...provider, issuer }] }).providers[0].issuer, issuer);
});

Deno.test("signIn: the environment adds one provider, unless the file has it", () => {
  const env = { TESSERA_SSO_ISSUER: provider.issuer, TESSERA_SSO_CLIENT_ID: "env" };
  const [added] = load({}, env).providers;
  assertEquals([added.id, added.name, added.clientId], ["sso", "login.example.com", "env"]);
  const [own] = load({ providers: [{ ...provider, id: "sso" }] }, env).providers;
  assertEquals(own.clientId, "tessera");
  const preset = {
    ...env,
    TESSERA_SSO_ISSUER: "Google",
    TESSERA_SSO_DOMAINS: "a.example, b.example",
  };
  const [{ id, type, domains }] = load({}, preset).providers;
  assertEquals([id, type, domains], ["google", "google", ["a.example", "b.example"]]);
  const [open] = load({}, { ...preset, TESSERA_SSO_DOMAINS: "*" }).providers;
  assertEquals(open.domains, undefined, "all domains");
  assertEquals(load({ local: "owner" }, env).local, "owner");
});

const wrongEnv: readonly (readonly [env: Record<string, string>, message: string])[] = [
  [{ TESSERA_SSO_ISSUER: provider.issuer }, "TESSERA_SSO_CLIENT_ID must be set together"],
  [{ TESSERA_SSO_CLIENT_ID: "x" }, "TESSERA_SSO_ISSUER must be set together"],
  [{ TESSERA_SSO_DOMAINS: "a.example" }, "TESSERA_SSO_ISSUER must be set together"],
  [
    { TESSERA_SSO_ISSUER: "google", TESSERA_SSO_CLIENT_ID: "x" },
    "TESSERA_SSO_DOMAINS is missing: anybody can have an account there, so list the e-mail domains that may sign in, or * for all",
  ],
  [
    { TESSERA_SSO_ISSUER: "http://login.example.com", TESSERA_SSO_CLIENT_ID: "x" },
    "TESSERA_SSO_ISSUER must be an https address",
  ],
];

for (const [env, message] of wrongEnv) {
  Deno.test(`signIn refuses ${Object.keys(env)}: ${message}`, () => {
    assertStringIncludes(assertThrows(() => loadConfig(env), ConfigError).message, message);
  });
}
