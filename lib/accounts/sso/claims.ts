import { z } from "zod";
import type { SignInProvider } from "../../config.ts";
import { readEmail } from "../users.ts";
import { type ProvenIdentity, SsoError } from "./protocol.ts";

/** The claims of an ID token or a UserInfo answer, both together or not. */
export type Claims = Readonly<Record<string, unknown>>;

/** OpenID Connect allows no longer subject. */
const subjectCharsMax = 255;
const groupsMax = 1_000;
const groupCharsMax = 200;

const claimsSchema = z.object({
  sub: z.string().min(1).max(subjectCharsMax),
  email: z.string().optional().catch(undefined),
  /** Some providers send a text. Any other value is no verification. */
  email_verified: z.union([z.boolean(), z.literal(["true", "false"])]).optional().catch(false),
  /** Google: the domain of the company whose account it is. */
  hd: z.string().optional().catch(undefined),
});

/**
 * Reads the claims that count, and ignores whatever is wrong with the others. Throws `SsoError`
 * without a valid subject.
 */
export function identityOf(
  provider: SignInProvider,
  issuer: string,
  claims: Claims,
): ProvenIdentity {
  const parsed = claimsSchema.safeParse(claims);
  if (!parsed.success) throw new SsoError("invalid", "The claims have no valid sub");
  const { sub: subject, ...about } = parsed.data;
  const email = verifiedEmail(provider, about);
  const groups = groupsIn(claims, provider.groupsClaim);
  return { issuer, subject, groups, ...(email !== undefined && { email }) };
}

/** The part of an e-mail address after its last `@`. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/** Returns true if the provider's groups set the roles of its users. */
export function setsRoles(
  { administratorGroups, billingGroups, viewerGroups }: SignInProvider,
): boolean {
  return (administratorGroups ?? billingGroups ?? viewerGroups) !== undefined;
}

/** Returns true if the claims lack something that UserInfo may have. */
export function isIncomplete(provider: SignInProvider, claims: Claims): boolean {
  const needsGroups = provider.allowedGroups !== undefined || setsRoles(provider);
  return claims.email === undefined ||
    needsGroups && claimNamed(claims, provider.groupsClaim) === undefined;
}

function verifiedEmail(
  { type, trustedDomains }: SignInProvider,
  { email: text, email_verified: verified, hd }: Omit<z.output<typeof claimsSchema>, "sub">,
): string | undefined {
  const email = text === undefined ? undefined : readEmail(text);
  if (email === undefined) return undefined;
  const domain = domainOf(email);
  if (type === "google" && !isGoogles(domain, hd)) return undefined;
  const isVerified = verified === undefined
    ? trustedDomains.includes(domain)
    : String(verified) === "true";
  return isVerified ? email : undefined;
}

/**
 * Google vouches for the addresses of Gmail and of the companies that it hosts. A private Google
 * account may have any other address that its owner once could read.
 */
function isGoogles(domain: string, hostedDomain: string | undefined): boolean {
  return ["gmail.com", "googlemail.com"].includes(domain) || hostedDomain?.toLowerCase() === domain;
}

function groupsIn(claims: Claims, name: string): string[] {
  const found = claimNamed(claims, name);
  const list: unknown[] = Array.isArray(found) ? found : [found];
  return list.slice(0, groupsMax)
    .filter((group) => typeof group === "string")
    .filter((group) => group.length <= groupCharsMax);
}

/** The claim of this very name, or the one at a path such as `realm_access.roles`. */
function claimNamed(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split(".").reduce<unknown>(
    (value, step) => isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined,
    claims,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
