/**
 * Canonical names of service tiers, by vendors' names: `standard`, `fast` (also called priority),
 * `ultrafast`, `flex`, `batch`, `offpeak` and `reserved` (purchased capacity).
 */
const names: Readonly<Record<string, string>> = {
  default: "standard",
  standard_only: "standard",
  on_demand: "standard",
  priority: "fast",
  on_demand_priority: "fast",
  on_demand_flex: "flex",
  on_demand_offpeak: "offpeak",
  scale: "reserved",
  provisioned_throughput: "reserved",
};

/** The service tier of calls that name none. */
export const standardTier = "standard";
/** Inference without a region: the vendor's standard rates. */
export const globalRegion = "global";

/** Words that let the upstream choose, or mean nothing. */
const unnamed = ["", "auto", "unspecified", "traffic_type_unspecified"];
const nameCharsMax = 32;

/**
 * The canonical tier of a request's or an answer's word; undefined if it names none. An unknown
 * word is its own name.
 */
export function serviceTierOf(word: unknown): string | undefined {
  if (typeof word !== "string") return undefined;
  const name = word.trim().toLowerCase().slice(0, nameCharsMax);
  if (unnamed.includes(name)) return undefined;
  return Object.hasOwn(names, name) ? names[name] : name;
}

/**
 * Tiers that are cheaper than the standard rates, or prepaid: without a price of their own the
 * standard rates apply.
 */
const neverDearer: readonly string[] = [standardTier, "flex", "batch", "offpeak", "reserved"];

/** Returns true if a tier may cost more than the standard rates. */
export function mayCostMore(tier: string): boolean {
  return !neverDearer.includes(tier);
}

/** Words of answers for inference without a region. */
const unbound = ["", globalRegion, "not_available"];

/** The region in a request's or an answer's word; `global` if it names none. */
export function regionOf(word: unknown): string | undefined {
  if (typeof word !== "string") return undefined;
  const name = word.trim().toLowerCase().slice(0, nameCharsMax);
  return unbound.includes(name) ? globalRegion : name;
}
