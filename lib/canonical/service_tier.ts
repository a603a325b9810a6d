/**
 * Service tiers by one name each, whatever vendor or answer names them: `standard`, `fast` (also
 * called priority), `ultrafast`, `flex`, `batch`, `offpeak` and `reserved` (capacity that was bought).
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

/** The tier of calls that name none. */
export const standardTier = "standard";
/** Inference that is bound to no region: the vendor's standard rates. */
export const globalRegion = "global";

/** These leave the choice to the upstream, or say nothing. */
const unnamed = ["", "auto", "unspecified", "traffic_type_unspecified"];
const nameCharsMax = 32;

/** The tier that a word of a request or an answer means; undefined where it names none. An unknown word is its own name. */
export function serviceTierOf(word: unknown): string | undefined {
  if (typeof word !== "string") return undefined;
  const name = word.trim().toLowerCase().slice(0, nameCharsMax);
  if (unnamed.includes(name)) return undefined;
  return Object.hasOwn(names, name) ? names[name] : name;
}

/** These cost less than the standard rates, or were paid before: without a price of their own they cost the standard rates. */
const neverDearer: readonly string[] = [standardTier, "flex", "batch", "offpeak", "reserved"];

/** Whether a tier may cost more than the standard rates. */
export function mayCostMore(tier: string): boolean {
  return !neverDearer.includes(tier);
}

/** Words of answers that bind inference to no region. */
const unbound = ["", globalRegion, "not_available"];

/** The region that a word of a request or an answer binds inference to; `global` where it says that none does. */
export function regionOf(word: unknown): string | undefined {
  if (typeof word !== "string") return undefined;
  const name = word.trim().toLowerCase().slice(0, nameCharsMax);
  return unbound.includes(name) ? globalRegion : name;
}
