const hourMs = 3_600_000;

/** The grace periods of an old secret, by form value. */
const graces = { now: 0, "1h": hourMs, "24h": 24 * hourMs, "7d": 168 * hourMs } as const;
type Grace = keyof typeof graces;
export const graceNames = Object.keys(graces) as Grace[]; // the table's own
/** Gives clients a day to switch to the new secret. */
export const usualGrace: Grace = "24h";

/** The grace period in a form; without a choice the old secret ends at once. */
export function graceIn(
  form: URLSearchParams,
): { readonly graceMs: number; readonly grace: Grace } {
  const grace = graceNames.find((one) => one === form.get("grace")) ?? "now";
  return { grace, graceMs: graces[grace] };
}
