import type { FieldReport } from "../field_report.ts";
import { isFields, parsed, type SourceFields, SourceObject } from "../source_object.ts";

/** The settings of new-api that become records. */
export interface Options {
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
export function readOptions(rows: readonly SourceFields[], report: FieldReport): Options {
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
