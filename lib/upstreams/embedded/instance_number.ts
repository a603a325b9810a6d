import type { JsonObject, JsonValue } from "../../canonical/mod.ts";

/** One end of a range. */
interface Limit {
  readonly value: number;
  readonly exclusive: boolean;
}

/** The multiples to try before a schema counts as unsatisfiable. */
const triesMax = 1000;

/** A number within the limits, different for each variant if possible. */
export function numberOf(
  schema: JsonObject,
  integer: boolean,
  variant: number,
): number | undefined {
  const low = limitOf(schema.minimum, schema.exclusiveMinimum, Math.max);
  const high = limitOf(schema.maximum, schema.exclusiveMaximum, Math.min);
  const { multipleOf } = schema;
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : undefined;
  if (step === undefined && !integer) return between(low, high, variant);
  return multiple({ step: step ?? 1, integer, low, high }, variant);
}

/** One end of the range; draft 4 has a boolean `exclusiveMinimum` next to `minimum`. */
function limitOf(
  inclusive: JsonValue | undefined,
  exclusive: JsonValue | undefined,
  tighter: (a: number, b: number) => number,
): Limit | undefined {
  if (typeof inclusive !== "number") {
    return typeof exclusive === "number" ? { value: exclusive, exclusive: true } : undefined;
  }
  if (typeof exclusive !== "number") return { value: inclusive, exclusive: exclusive === true };
  const value = tighter(inclusive, exclusive);
  return { value, exclusive: value === exclusive };
}

function between(low: Limit | undefined, high: Limit | undefined, variant: number) {
  if (low && high) {
    const inner = low.exclusive || variant > 0;
    const part = inner ? (variant + 1) / (variant + 2) : 0;
    const value = low.value + (high.value - low.value) * part;
    return isWithin(value, low, high) ? value : undefined;
  }
  if (low) return low.value + variant + (low.exclusive ? 1 : 0);
  if (high) return high.value - variant - (high.exclusive ? 1 : 0);
  return 1 + variant;
}

interface Multiples {
  readonly step: number;
  readonly integer: boolean;
  readonly low?: Limit;
  readonly high?: Limit;
}

function multiple({ step, integer, low, high }: Multiples, variant: number): number | undefined {
  const upwards = low !== undefined || high === undefined;
  const start = upwards
    ? Math.ceil((low?.value ?? step) / step)
    : Math.floor((high?.value ?? 0) / step);
  let found: number | undefined;
  let count = 0;
  for (let tried = 0; tried < triesMax && count <= variant; tried++) {
    const value = (start + (upwards ? tried : -tried)) * step;
    const fits = isWithin(value, low, high) && Number.isInteger(value / step) &&
      (!integer || Number.isInteger(value));
    if (!fits) continue;
    found = value;
    count++;
  }
  return found;
}

function isWithin(value: number, low?: Limit, high?: Limit): boolean {
  const above = !low || (low.exclusive ? value > low.value : value >= low.value);
  return above && (!high || (high.exclusive ? value < high.value : value <= high.value));
}
