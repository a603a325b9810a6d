import { assertEquals } from "@std/assert";
import { type Claims, identityOf } from "../../../lib/accounts/sso/claims.ts";
import { providersOf } from "./fake_provider.ts";

const oidc = { id: "acme", issuer: "https://login.example.com", clientId: "x" };
const google = { id: "google", preset: "google", clientId: "x", domains: ["*"] };

function emailOf(settings: Record<string, unknown>, claims: Claims): string | undefined {
  const [provider] = providersOf(settings);
  return identityOf(provider, provider.issuer, { sub: "1", ...claims }).email;
}

function groupsOf(settings: Record<string, unknown>, claims: Claims): readonly string[] {
  const [provider] = providersOf(settings);
  return identityOf(provider, provider.issuer, { sub: "1", ...claims }).groups;
}

const emails: readonly {
  readonly name: string;
  readonly settings?: Record<string, unknown>;
  readonly claims: Claims;
  readonly expected?: string;
}[] = [
  {
    name: "a verified address, in lower case",
    claims: { email: "Mira@Example.com", email_verified: true },
    expected: "mira@example.com",
  },
  {
    name: "an address verified in a text",
    claims: { email: "m@a.example", email_verified: "true" },
    expected: "m@a.example",
  },
  { name: "no unverified address", claims: { email: "m@a.example", email_verified: false } },
  { name: "no address of unknown state", claims: { email: "m@a.example" } },
  {
    name: "an address that the provider itself assigns",
    settings: { trustedDomains: ["a.example"] },
    claims: { email: "m@A.example" },
    expected: "m@a.example",
  },
  {
    name: "no address of a trusted domain that the provider calls unverified",
    settings: { trustedDomains: ["a.example"] },
    claims: { email: "m@a.example", email_verified: false },
  },
  {
    name: "no address of a trusted domain with an unknown verification",
    settings: { trustedDomains: ["a.example"] },
    claims: { email: "m@a.example", email_verified: "no" },
  },
  {
    name: "no address of a trusted domain's subdomain",
    settings: { trustedDomains: ["a.example"] },
    claims: { email: "m@sub.a.example" },
  },
  {
    name: "no address with a second @",
    settings: { trustedDomains: ["a.example"] },
    claims: { email: "m@evil.example@a.example" },
  },
  { name: "no text that is no address", claims: { email: "mira", email_verified: true } },
  { name: "no number", claims: { email: 7, email_verified: true } },
  {
    name: "an address of Gmail",
    settings: google,
    claims: { email: "m@gmail.com", email_verified: true },
    expected: "m@gmail.com",
  },
  {
    name: "an address of a company that Google hosts",
    settings: google,
    claims: { email: "m@a.example", email_verified: true, hd: "a.example" },
    expected: "m@a.example",
  },
  {
    name: "no company's address of a private Google account",
    settings: google,
    claims: { email: "m@a.example", email_verified: true },
  },
];

for (const { name, settings, claims, expected } of emails) {
  Deno.test(`identityOf takes ${name}`, () => {
    assertEquals(
      emailOf(settings === google ? google : { ...oidc, ...settings }, claims),
      expected,
    );
  });
}

const groups: readonly {
  readonly name: string;
  readonly claim?: string;
  readonly claims: Claims;
  readonly expected: readonly string[];
}[] = [
  { name: "a list", claims: { groups: ["a", "b"] }, expected: ["a", "b"] },
  { name: "a single text", claims: { groups: "a" }, expected: ["a"] },
  {
    name: "a path",
    claim: "realm_access.roles",
    claims: { realm_access: { roles: ["a"] } },
    expected: ["a"],
  },
  {
    name: "a name with dots",
    claim: "https://a.example/groups",
    claims: { "https://a.example/groups": ["a"] },
    expected: ["a"],
  },
  { name: "no inherited property", claim: "constructor.name", claims: {}, expected: [] },
  { name: "no other types", claims: { groups: [1, null, { a: 1 }, "a"] }, expected: ["a"] },
  { name: "no names without end", claims: { groups: ["x".repeat(1_000), "a"] }, expected: ["a"] },
  { name: "nothing from a deep object", claims: { groups: { a: ["b"] } }, expected: [] },
];

for (const { name, claim, claims, expected } of groups) {
  Deno.test(`identityOf reads groups from ${name}`, () => {
    const settings = { ...oidc, ...(claim && { groupsClaim: claim }) };
    assertEquals(groupsOf(settings, claims), expected);
  });
}

Deno.test("identityOf reads at most a thousand groups", () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `g${index}`);
  assertEquals(groupsOf(oidc, { groups: many }).length, 1_000);
});
