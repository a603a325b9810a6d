import { catalogModel } from "../../../lib/catalog/mod.ts";
import {
  defaultGroupId,
  type Group,
  isDated,
  type Model,
  type ModelPrice,
} from "../../../lib/store/catalog/mod.ts";
import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import { nameFrom, type TakenNames } from "../identity.ts";
import type { MigrationPlan } from "../plan.ts";
import {
  type FieldReport,
  isFields,
  parsed,
  readList,
  type SourceFields,
  SourceObject,
} from "../source_object.ts";
import type { Tables } from "../tables/tables.ts";
import { readChannel } from "./channels.ts";
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
  const upstreams = rows("channels").flatMap((row) => readChannel(row, reading));
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

/** The groups to create, and the ids of all groups by new-api's names. */
interface DraftedGroups {
  readonly groups: readonly Group[];
  readonly groupIds: ReadonlyMap<string, string>;
}

const ratioMax = 1_000;

/**
 * The groups that channels, users, keys or settings name. `default` is our own default group as
 * long as its prices are the same.
 */
function groupsFor(names: ReadonlySet<string>, options: Options): DraftedGroups {
  const all = [...new Set([...names, ...options.groupRatio.keys()])];
  const groupIds = new Map(all.map((name) => [name, idOf(name, options)]));
  const groups = all.filter((name) => groupIds.get(name) !== defaultGroupId).map((name): Group => ({
    id: groupIds.get(name) ?? defaultGroupId,
    models: ["*"],
    formats: ["*"],
    priceRatio: Math.min(ratioMax, ratioOf(name, options)),
    ...(options.usableGroups.includes(name) && { forMembers: true }),
    origin: "console",
  }));
  return { groups, groupIds };
}

function idOf(name: string, options: Options): string {
  return name === defaultGroupId && ratioOf(name, options) === 1
    ? defaultGroupId
    : nameFrom("new-api", name);
}

function ratioOf(name: string, { groupRatio }: Options): number {
  return groupRatio.get(name) ?? 1;
}

/** USD per million tokens for a ratio of 1. */
const usdPerRatio = 2;

/** Records with the prices of the models; a model without a ratio keeps the catalog's price. */
function pricedModels(
  ids: readonly string[],
  options: Options,
  createdAtMs: number,
): readonly Model[] {
  return ids.flatMap((id): Model[] => {
    const price = priceOf(id, options);
    return price === undefined ? [] : [{ id, price, createdAtMs, origin: "console" }];
  });
}

function priceOf(id: string, options: Options): ModelPrice | undefined {
  const perCall = options.modelPrice.get(id);
  if (perCall !== undefined) return { input: 0, output: 0, request: rounded(perCall) };
  const ratio = options.modelRatio.get(id);
  if (ratio === undefined) return undefined;
  const input = rounded(ratio * usdPerRatio);
  return {
    input,
    output: rounded(input * (options.completionRatio.get(id) ?? usualCompletionRatio(id))),
    ...factored("cachedInput", input, options.cacheRatio.get(id)),
    ...factored("cacheWrite", input, options.createCacheRatio.get(id)),
    ...factored("imageInput", input, options.imageRatio.get(id)),
    ...audioRates(id, input, options),
  };
}

function audioRates(id: string, input: number, options: Options): Partial<ModelPrice> {
  const ratio = options.audioRatio.get(id);
  if (ratio === undefined) return {};
  const audioInput = rounded(input * ratio);
  const output = options.audioCompletionRatio.get(id);
  return { audioInput, ...factored("audioOutput", audioInput, output) };
}

function factored(
  name: keyof ModelPrice,
  rate: number,
  factor: number | undefined,
): Partial<ModelPrice> {
  return factor === undefined ? {} : { [name]: rounded(rate * factor) };
}

/** new-api has built-in ratios for well-known models; the catalog knows the vendors' own. */
function usualCompletionRatio(id: string): number {
  const price = catalogModel(id)?.price;
  if (!price || isDated(price) || price.input === 0) return 1;
  return price.output / price.input;
}

/** Without the noise of floating point. */
function rounded(usd: number): number {
  return Number(usd.toPrecision(12));
}

/** The settings of new-api that become records. */
interface Options {
  /** A factor of 1 is $2 per million tokens. */
  readonly modelRatio: Numbers;
  readonly completionRatio: Numbers;
  readonly cacheRatio: Numbers;
  readonly createCacheRatio: Numbers;
  readonly audioRatio: Numbers;
  readonly audioCompletionRatio: Numbers;
  readonly imageRatio: Numbers;
  /** USD per call. */
  readonly modelPrice: Numbers;
  readonly groupRatio: Numbers;
  /** The groups that users may choose, with their descriptions. */
  readonly usableGroups: readonly string[];
  /** The quota of one dollar. */
  readonly quotaPerUnit: number;
}

type Numbers = ReadonlyMap<string, number>;

const usualQuotaPerUnit = 500_000;

/** Reads the rows of `options`, whose values are texts. */
function readOptions(rows: readonly SourceFields[], report: FieldReport): Options {
  const fields = Object.fromEntries(rows.map(({ key, value }) => [String(key), value]));
  const source = new SourceObject(fields, { place: "options", name: "" }, report);
  const numbers = (field: string, how: string) => numbersOf(source, field, how);
  const price = "prices in USD of the models that upstreams serve";
  const options = {
    modelRatio: numbers("ModelRatio", price),
    completionRatio: numbers("CompletionRatio", price),
    cacheRatio: numbers("CacheRatio", price),
    createCacheRatio: numbers("CreateCacheRatio", price),
    audioRatio: numbers("AudioRatio", price),
    audioCompletionRatio: numbers("AudioCompletionRatio", price),
    imageRatio: numbers("ImageRatio", price),
    modelPrice: numbers("ModelPrice", price),
    groupRatio: numbers("GroupRatio", "the price factors of the groups"),
    usableGroups: Object.keys(source.object("UserUsableGroups") ?? {}),
    quotaPerUnit: quotaPerUnitOf(source),
  };
  source.changed("UserUsableGroups", "these groups are open to members");
  source.finish(optionReasons);
  return options;
}

function numbersOf(source: SourceObject, field: string, how: string): Numbers {
  const text = source.text(field);
  const value = text === undefined ? {} : parsed(text);
  if (!isFields(value)) {
    source.unknown(field, "it is not an object");
    return new Map();
  }
  if (text !== undefined) source.changed(field, how);
  const pairs = Object.entries(value).filter((pair): pair is [string, number] =>
    typeof pair[1] === "number" && pair[1] >= 0
  );
  return new Map(pairs);
}

function quotaPerUnitOf(source: SourceObject): number {
  const value = source.number("QuotaPerUnit");
  return value !== undefined && value > 0 ? value : usualQuotaPerUnit;
}

const optionReasons = {
  GroupGroupRatio: "a group has one price factor",
  AutoGroups: "a key has one group",
} as const;
