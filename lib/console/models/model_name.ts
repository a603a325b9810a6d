import { isModelPattern } from "../../canonical/mod.ts";

/** Returns true for a name that can have a price: without spaces, and no pattern. */
export function isModelName(text: string): boolean {
  return isModelPattern(text) && !text.includes("*");
}

/** The address of a model's page. */
export function modelPath(name: string, more: Readonly<Record<string, string>> = {}): string {
  return `/console/pricing/model?${new URLSearchParams({ name, ...more })}`;
}

/** A model's page with its price form open and focused. */
export function setPricePath(name: string): string {
  return modelPath(name, { set: "price" });
}
