import { z } from "zod";
import {
  credential,
  fieldListOf,
  flagField,
  id,
  isLoopbackHost,
  label,
  must,
  strict,
} from "./fields.ts";

/** A provider at which users sign in. Contains a secret. */
export interface SignInProvider {
  /** Part of the address to which the provider returns the browser. */
  readonly id: string;
  /** `google` is OpenID Connect with Google's own rules; `github` is OAuth 2. */
  readonly type: "oidc" | "google" | "github";
  /** The name on buttons. */
  readonly name: string;
  /** Without a slash at the end, unless the provider's own has one. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  /** The e-mail domains that may sign in, in lower case; absent: all. */
  readonly domains?: readonly string[];
  /** The e-mail domains whose addresses the provider itself assigns, in lower case. */
  readonly trustedDomains: readonly string[];
  /** True if the first sign-in creates an account. */
  readonly createAccounts: boolean;
  /** The claim with the groups of a user. */
  readonly groupsClaim: string;
  /** The groups of which a user needs one; absent: none is needed. */
  readonly allowedGroups?: readonly string[];
  /** The groups that make a user an administrator; absent: the console sets roles. */
  readonly administratorGroups?: readonly string[];
  /** The groups that give the role billing, and those that give the role viewer. */
  readonly billingGroups?: readonly string[];
  readonly viewerGroups?: readonly string[];
}

/** The ways to sign in to the console. */
export interface SignInSettings {
  /** The users who may sign in by password or passkey. */
  readonly local: "everyone" | "owner";
  readonly providers: readonly SignInProvider[];
}

const presets = {
  google: { name: "Google", issuer: "https://accounts.google.com" },
  github: { name: "GitHub", issuer: "https://github.com" },
} as const;
export const signInPresets = ["google", "github"] as const satisfies (keyof typeof presets)[];

const issuerText = "an https address such as https://login.example.com";
const issuer = z.string(must(issuerText)).trim().refine(isIssuer, must(issuerText));
const domainText = 'an e-mail domain such as example.com, or "*"';
const domain = z.string(must(domainText)).trim().toLowerCase()
  .refine((text) => text === "*" || isDomain(text), must(domainText));
const ownDomainText = "an e-mail domain such as example.com";
const ownDomain = z.string(must(ownDomainText)).trim().toLowerCase()
  .refine(isDomain, must(ownDomainText));
const scopeText = "a scope: printable characters without spaces";
const scope = z.string(must(scopeText)).regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, must(scopeText));
const groupText = "a group's name or ID: a text of 1 to 200 characters";
const groupName = z.string(must(groupText)).min(1, must(groupText)).max(200, must(groupText));
const claimText = "a claim's name, such as groups or realm_access.roles";
const claimName = z.string(must(claimText)).min(1, must(claimText)).max(200, must(claimText));
const idText = "1 to 40 lower-case letters, digits and dashes";

const providerSchema = strict({
  id: id.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, must(idText))
    .describe("Name in the callback's address: /login/sso/ID/callback"),
  preset: z.enum(signInPresets, must(signInPresets.join(" or "))).optional()
    .describe("Google or GitHub; absent: any OpenID Connect provider"),
  name: label.optional().describe("Name on buttons; absent: the preset's name, or the ID"),
  issuer: issuer.optional().describe(
    "Issuer of an OpenID Connect provider, or the address of a GitHub Enterprise Server",
  ),
  clientId: credential.describe("Client ID that the provider issued"),
  clientSecret: credential.optional()
    .describe("Client secret, best as ${NAME}; absent: a public client"),
  scopes: fieldListOf(scope, "scopes").optional()
    .describe('Requested scopes; absent: ["openid", "email", "profile"]'),
  domains: fieldListOf(domain, "e-mail domains").min(1, must("a list of e-mail domains")).optional()
    .describe('E-mail domains that may sign in; "*" means all. Google and GitHub require it'),
  trustedDomains: fieldListOf(ownDomain, "e-mail domains").default([]).describe(
    "E-mail domains whose addresses the provider itself assigns: existing accounts of members " +
      "are linked at their first sign-in, and no other provider's word counts for these addresses",
  ),
  createAccounts: flagField.default(true).describe("Create an account at the first sign-in"),
  groupsClaim: claimName.default("groups").describe("Claim with the user's groups"),
  allowedGroups: fieldListOf(groupName, "groups").optional()
    .describe("Groups of which a user needs one to sign in; absent: none"),
  administratorGroups: fieldListOf(groupName, "groups").optional().describe(
    "Groups that make a user an administrator, at each sign-in; without any of the three lists of " +
      "groups, the console sets roles",
  ),
  billingGroups: fieldListOf(groupName, "groups").optional().describe(
    "Groups that give the role billing, unless a group makes the user an administrator",
  ),
  viewerGroups: fieldListOf(groupName, "groups").optional().describe(
    "Groups that give the role viewer, unless another group gives a higher role",
  ),
}).superRefine((provider, context) => {
  const fault = providerFault(provider);
  if (fault) context.addIssue({ code: "custom", path: [fault.field], message: fault.message });
});

export type ProviderOfFile = z.output<typeof providerSchema>;
export type ProviderInput = z.input<typeof providerSchema>;
export { providerSchema as signInProviderSchema };

/** The part `signIn` of the configuration file. */
export const signInSchema = strict({
  local: z.enum(["everyone", "owner"], must("everyone or owner")).default("everyone").describe(
    "Users who may sign in by password or passkey; owner: only the first administrator",
  ),
  providers: fieldListOf(providerSchema, "providers").default([])
    .describe("Providers of single sign-on"),
});

/** Converts the fields of a provider to the program's own. */
export function signInProvider(
  { preset, name, domains, scopes, ...provider }: ProviderOfFile,
): SignInProvider {
  const usual = preset && presets[preset];
  return {
    ...provider,
    type: preset ?? "oidc",
    name: name ?? usual?.name ?? provider.id,
    issuer: issuerOf(provider.issuer ?? usual?.issuer ?? "", preset),
    scopes: scopes ?? (preset === "github" ? ["user:email"] : ["openid", "email", "profile"]),
    ...(domains !== undefined && !domains.includes("*") && { domains }),
  };
}

/** GitHub's addresses are made from its own, without the slash that a provider's issuer may have. */
function issuerOf(text: string, preset: ProviderOfFile["preset"]): string {
  return preset === "github" ? text.replace(/\/+$/, "") : text;
}

interface ProviderFault {
  readonly field: keyof ProviderOfFile;
  readonly message: string;
}

function providerFault(provider: ProviderOfFile): ProviderFault | undefined {
  const { preset, issuer, domains, scopes, createAccounts } = provider;
  if (preset === undefined && issuer === undefined) {
    return { field: "issuer", message: `is missing: it must be ${issuerText}` };
  }
  if (preset === "google" && issuer !== undefined) {
    return { field: "issuer", message: "must not be set for Google" };
  }
  if (preset !== "github" && scopes !== undefined && !scopes.includes("openid")) {
    return { field: "scopes", message: "must contain openid" };
  }
  if (preset !== undefined && createAccounts && domains === undefined) {
    return { field: "domains", message: openToAnybody };
  }
  return preset === "github" ? githubFault(provider) : undefined;
}

const openToAnybody =
  "is missing: anybody can have an account there, so list the e-mail domains that may sign in, or * for all";

/** GitHub neither assigns e-mail addresses nor states groups. */
function githubFault(provider: ProviderOfFile): ProviderFault | undefined {
  if (provider.clientSecret === undefined) {
    return { field: "clientSecret", message: "is missing: GitHub requires one" };
  }
  if (provider.trustedDomains.length > 0) {
    return { field: "trustedDomains", message: "must be empty: GitHub assigns no addresses" };
  }
  const field = (["allowedGroups", "administratorGroups", "billingGroups", "viewerGroups"] as const)
    .find((name) => provider[name] !== undefined);
  return field && { field, message: "must not be set: GitHub states no groups" };
}

/** Plain http only on this machine, because the answers decide who is signed in. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.search !== "" || url.hash !== "") return false;
  return url.protocol === "https:" || url.protocol === "http:" && isLoopbackHost(url.hostname);
}

function isDomain(text: string): boolean {
  return text.length <= 253 && /^[^\s@.*]+(\.[^\s@.*]+)+$/.test(text);
}
