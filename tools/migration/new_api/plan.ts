import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import type { FieldReport } from "../field_report.ts";
import type { TakenNames } from "../identity.ts";
import type { MigrationPlan } from "../plan.ts";
import { readList } from "../source_list.ts";
import type { SourceFields } from "../source_object.ts";
import type { Tables } from "../tables/tables.ts";
import { readChannel } from "./channels.ts";
import { groupsFor } from "./groups.ts";
import { readOptions } from "./options.ts";
import { pricedModels } from "./prices.ts";
import { readToken } from "./tokens.ts";
import { accountIdOf, readUser } from "./users.ts";

/** The tables of new-api that become records, and those whose rows are left behind. */
export const newApiTables = [
  "channels",
  "options",
  "users",
  "tokens",
  "redemptions",
  "two_fas",
  "passkey_credentials",
  "user_subscriptions",
] as const;

/** Plans what becomes of new-api's database. Throws `ImportRefusal` if it is not one. */
export function planNewApi(
  tables: Tables,
  { report, nowMs }: { readonly report: FieldReport; readonly nowMs: number },
): MigrationPlan {
  const rows = (name: typeof newApiTables[number]) => tables.get(name) ?? [];
  if (rows("channels").length + rows("users").length === 0) {
    throw new ImportRefusal("the database has neither channels nor users");
  }
  const options = readOptions(rows("options"), report);
  const { groups, groupIds } = groupsFor(groupNames(tables), options);
  const reading = { report, nowMs, quotaPerUnit: options.quotaPerUnit, groupIds };
  const upstreams = rows("channels").map((row) => readChannel(row, reading))
    .filter((one) => one !== undefined);
  const people = rows("users").map((row) => readUser(row, reading))
    .filter((one) => one !== undefined);
  const userGroups = groupsOfUsers(rows("users"), new Set(people.map(({ user }) => user.id)));
  const tokenReading = { ...reading, userGroups, names: new Map<string, TakenNames>() };
  const keys = rows("tokens").map((row) => readToken(row, tokenReading));
  const models = new Set(upstreams.flatMap(({ models }) => models.map(({ id }) => id)));
  return {
    groups,
    models: pricedModels([...models], options, nowMs),
    upstreams,
    users: people.map(({ user }) => user),
    grants: people.map(({ grant }) => grant).filter((one) => one !== undefined),
    keys: keys.filter((one) => one !== undefined),
    notices: leftTables(tables),
  };
}

/** The names of all groups that a channel, a user or a key has. */
function groupNames(tables: Tables): ReadonlySet<string> {
  const rows = ["channels", "users", "tokens"].flatMap((name) => tables.get(name) ?? []);
  const names = rows.flatMap(({ group }) => readList(group, ",") ?? []);
  return new Set(["default", ...names.filter((name) => name !== "auto")]);
}

function groupsOfUsers(
  rows: readonly SourceFields[],
  known: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const pairs = rows.map(({ id, group }) => [accountIdOf(String(id)), String(group)] as const);
  return new Map(pairs.filter(([id]) => known.has(id)));
}

/** Rows that need work by hand. */
function leftTables(tables: Tables): readonly string[] {
  const unused = (tables.get("redemptions") ?? []).filter(({ status }) => Number(status) === 1);
  const lines: Record<string, readonly [count: number, why: string]> = {
    redemptions: [unused.length, "unused redemption codes: create new ones in the console"],
    two_fas: [tables.get("two_fas")?.length ?? 0, "users set up their second step again"],
    passkey_credentials: [
      tables.get("passkey_credentials")?.length ?? 0,
      "users add their passkeys again: a passkey is bound to its site",
    ],
    user_subscriptions: [
      tables.get("user_subscriptions")?.length ?? 0,
      "Tessera has no subscriptions: give their holders funds",
    ],
  };
  return Object.entries(lines).flatMap(([name, [count, why]]) =>
    count === 0 ? [] : [`${name} (${count}): ${why}`]
  );
}
