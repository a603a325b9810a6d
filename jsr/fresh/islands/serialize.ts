import { isValidElement } from "preact";

/** Writes island props as JSON; throws for values that JSON would change or leave out. */
export function serialize(props: unknown): string {
  return JSON.stringify(props, function (this: Record<string, unknown>, name, written) {
    const problem = problemOf(this[name]); // before `toJSON`
    if (problem === undefined) return written;
    throw new Error(`Serializing ${problem} is not supported.`);
  });
}

function problemOf(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (["function", "symbol", "bigint"].includes(typeof value)) return `${typeof value}s`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  if (isValidElement(value)) return "JSX";
  const { constructor } = value;
  return constructor === undefined || constructor === Object ? undefined : constructor.name;
}
