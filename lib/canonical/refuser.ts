import { boundOwners, type LimitOwner } from "./limit_state.ts";

/** Everyone who may refuse a call: an owner of limits or rules, a wallet, or an upstream. */
export const refuserOwners = [...boundOwners, "wallet", "provider"] as const;

/** The owner that refused a call. */
export interface Refuser {
  readonly owner: typeof refuserOwners[number];
  /** Of a wallet: its account's id; of a session or a child key: its name. */
  readonly id: string;
}

/** The page of the console on which an owner's limits are changed. */
export function ownerPath(owner: LimitOwner, id: string): string {
  return pathOf[owner](encodeURIComponent(id));
}

const pathOf = {
  key: (id) => `/console/token/${id}`,
  group: (id) => `/console/admin/groups/${id}`,
  account: (id) => `/console/admin/users/${id}`,
  project: (id) => `/console/admin/projects/${id}`,
  organization: () => "/console/admin/projects/organization",
  tag: (id) => `/console/admin/projects/tags?tag=${id}`,
} as const satisfies Record<LimitOwner, (id: string) => string>;

/** The same of anyone who refuses calls with a key; sessions and child keys have the page of their key. */
export function refuserPath({ owner, id }: Refuser, keyId: string): string {
  switch (owner) {
    case "session":
    case "child":
      return ownerPath("key", keyId);
    case "wallet":
      return "/console/topup";
    case "provider":
      return `/console/admin/upstreams/${encodeURIComponent(id)}`;
    default:
      return ownerPath(owner, id);
  }
}

/** Names a refuser at the start of a sentence: `The project research`, `The key`. */
export function refuserTitle({ owner, id }: Refuser): string {
  const { name, isNamed } = titles[owner];
  return isNamed ? `The ${name} ${id}` : `The ${name}`;
}

/** A key and an account are the caller's own, whose ids a caller need not know. */
const titles = {
  key: { name: "key", isNamed: false },
  group: { name: "group", isNamed: true },
  account: { name: "account", isNamed: false },
  project: { name: "project", isNamed: true },
  organization: { name: "organization", isNamed: false },
  tag: { name: "tag", isNamed: true },
  session: { name: "session", isNamed: true },
  child: { name: "child key", isNamed: true },
  wallet: { name: "wallet", isNamed: false },
  provider: { name: "upstream", isNamed: true },
} as const satisfies Record<Refuser["owner"], { readonly name: string; readonly isNamed: boolean }>;
