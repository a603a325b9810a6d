import type { SignInProvider } from "../../config.ts";
import { firstAccountId, type Role, type User } from "../../store/users/mod.ts";
import { domainOf, type ProvenIdentity } from "./claims.ts";

/** Returns why the configuration keeps an identity out; undefined if it may sign in. */
export function admissionFault(
  { domains, allowedGroups }: SignInProvider,
  { email, groups }: ProvenIdentity,
): "email" | "domain" | "group" | undefined {
  if (domains !== undefined && email === undefined) return "email";
  if (domains !== undefined && !domains.includes(domainOf(email ?? ""))) return "domain";
  const isMember = allowedGroups?.some((group) => groups.includes(group)) ?? true;
  return isMember ? undefined : "group";
}

/** The role that the provider's groups give; undefined if the console sets roles. */
export function roleByGroups(
  { administratorGroups }: SignInProvider,
  { groups }: ProvenIdentity,
): Role | undefined {
  if (administratorGroups === undefined) return undefined;
  return administratorGroups.some((group) => groups.includes(group)) ? "administrator" : "member";
}

/** Returns true if one of the providers itself assigns the addresses of this domain. */
export function isAssigned(
  email: string,
  providers: readonly Pick<SignInProvider, "trustedDomains">[],
): boolean {
  return providers.some(({ trustedDomains }) => trustedDomains.includes(domainOf(email)));
}

/** Returns true for the accounts that an e-mail address may open: a provider's word makes no administrator. */
export function isClaimedByEmail({ role, id }: Pick<User, "role" | "id">): boolean {
  return role === "member" && id !== firstAccountId;
}
