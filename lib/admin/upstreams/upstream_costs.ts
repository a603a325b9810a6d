import { costsSchema } from "../../config.ts";
import type { UpstreamCostTerms } from "../../store/catalog/mod.ts";

/** The form's text of an upstream's costs: a factor alone, or JSON as in the configuration file. */
export function costsText(costs: UpstreamCostTerms = {}): string {
  const { factor, prices, credentials } = costs;
  if (prices || credentials) return JSON.stringify(costs, null, 2);
  return factor === undefined ? "" : String(factor);
}

type ReadCosts =
  | { readonly type: "valid"; readonly costs?: UpstreamCostTerms }
  | { readonly type: "invalid"; readonly problem: string };

/** Reads the text; empty means list prices. */
export function readCosts(text: string): ReadCosts {
  if (text === "") return { type: "valid" };
  const value = /^[\d.]+$/.test(text) ? { factor: Number(text) } : jsonIn(text);
  const { success, data, error } = costsSchema.safeParse(value);
  if (success) return { type: "valid", costs: data };
  const [{ path, message }] = error.issues;
  return { type: "invalid", problem: [path.join("."), message].filter(Boolean).join(" ") };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
