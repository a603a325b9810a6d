import type { LimitState, Refuser } from "../canonical/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import { organizationId } from "../store/money/mod.ts";

/** The parts of a row that name the owners of a call's limits. */
type Owners = Partial<
  Pick<RequestLogRow, "accountId" | "groupId" | "keyId" | "projectId" | "refusedBy" | "refuser">
>;

/** The owner of the limit or the rule of ours that refused a call; undefined for other failures. */
export function refuserIn(row: Owners): Refuser | undefined {
  return row.refuser ?? (row.refusedBy && ownerOf(row.refusedBy, row));
}

/** A limit's name begins with its owner, whose id the row has. */
function ownerOf({ name, ownerId }: LimitState, row: Owners): Refuser {
  const [word, ...what] = name.split(" ");
  if (word === "account") {
    const owner = what.join(" ") === "balance" ? "wallet" : "account";
    return { owner, id: row.accountId ?? "" };
  }
  const owner = word as Exclude<Refuser["owner"], "account" | "wallet">; // limitName wrote it
  const ids: Readonly<Record<string, string | undefined>> = {
    key: row.keyId,
    group: row.groupId,
    project: row.projectId,
    organization: organizationId,
  };
  return { owner, id: ownerId ?? ids[word] ?? "" };
}
