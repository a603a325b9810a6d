import type { LimitOwner } from "../../canonical/mod.ts";

/** The page on which the limits of an owner are changed, or for a reader's own account, explained. */
export function ownerHref(owner: LimitOwner, id: string, { own = false } = {}): string {
  const name = encodeURIComponent(id);
  switch (owner) {
    case "key":
      return `/console/token/${name}`;
    case "account":
      return own ? "/console/topup" : `/console/admin/users/${name}`;
    case "group":
      return `/console/admin/groups/${name}`;
    case "project":
      return `/console/admin/projects/${name}`;
    case "organization":
      return "/console/admin/projects/organization";
    case "tag":
      return `/console/admin/projects/tags?tag=${name}`;
    default:
      return owner satisfies never;
  }
}
