import { isIP } from "node:net";
import { z } from "zod";
import { hasHidden, isModelPattern } from "../../canonical/mod.ts";
import type { FaultCode } from "../faults.ts";

/** Every message of the rules for keys is one of them. */
export type KeyFault = FaultCode<"key">;

/**
 * Far above the number of programs of one account. Bounded, because every key takes memory and
 * appears in lists.
 */
export const keysOfAccountMax = 2_000;

const dayMs = 86_400_000;
const yearsAheadMs = 3_653 * dayMs;
const entriesMax = 100;
const percentsMax = 10;

/** A name with its spaces tidied. */
export const keyName = z.string(fault("nameMissing"))
  .transform((text) => text.trim().replace(/\s+/g, " "))
  .pipe(z.string().min(1, fault("nameMissing")).max(60, fault("nameLong")))
  .refine((name) => !hasHidden(name), fault("nameHidden"));

/** One of the groups that the account may use. */
export function groupAmong(groupIds: readonly string[]) {
  return z.string(fault("group")).refine((id) => groupIds.includes(id), fault("group"));
}

/** Milliseconds since 1970, from now to ten years ahead. */
export function expiryFrom(nowMs: number) {
  return z.number(fault("date"))
    .refine((atMs) => atMs > nowMs && atMs - nowMs <= yearsAheadMs, fault("date"));
}

/** The last moment of a day such as `2026-11-21`, in UTC. */
export function endOfDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const startMs = Date.parse(`${text}T00:00:00Z`);
  const real = !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(text);
  return real ? startMs + dayMs - 1 : undefined;
}

/** A text as the distinct words in it. */
export function words(separator: RegExp) {
  return z.string().default("")
    .transform((text) => [...new Set(text.split(separator).filter((word) => word !== ""))]);
}

/** The name of a model, or a pattern such as `gpt-*`. */
const modelPattern = z.string(fault("models")).min(1, fault("models")).max(200, fault("models"))
  .regex(/^[^\s,]+$/, fault("models")).refine(isModelPattern, fault("models"));

/** Names of models and patterns. */
export function modelPatterns(max: number) {
  return z.array(modelPattern, fault("models")).max(max, fault("models"));
}

/** The models of a key. */
export const keyModels = modelPatterns(entriesMax);

/** IP addresses and CIDR blocks. */
export const addressList = z.array(
  z.string(fault("addresses")).refine(isAddressOrBlock, fault("addresses")),
  fault("addresses"),
).max(entriesMax, fault("addresses"));

/** The percentages of a budget that raise alerts, in ascending order. */
export const alertPercents = z.array(
  z.int(fault("percents")).min(1, fault("percents")).max(100, fault("percents")),
  fault("percents"),
).max(percentsMax, fault("percents")).transform((all) => [...new Set(all)].sort((a, b) => a - b));

/** Texts of the caller's own by name, such as the project that a key is for. */
export const keyMetadata = z.record(
  z.string().min(1).max(64).regex(/^[\w.-]+$/, "must have letters, digits and . _ - only")
    .refine((name) => name !== "__proto__", "is reserved"),
  z.string().max(512).refine((text) => !hasHidden(text), "has invisible characters"),
).refine((all) => Object.keys(all).length <= 16, "has at most 16 entries");

/** The canonical spelling of a time zone, given in any case. */
export const timeZoneName = z.string(fault("zone")).transform((text, context) => {
  const zone = zoneNamed(text);
  if (zone !== undefined) return zone;
  context.addIssue({ code: "custom", message: fault("zone") });
  return z.NEVER;
});

/** Checks that a message is the name of a fault. */
function fault(name: KeyFault): KeyFault {
  return name;
}

function zoneNamed(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Returns true for an IP address or a CIDR block. */
export function isAddressOrBlock(text: string): boolean {
  const [address, bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0 || address.includes("%")) return false;
  return bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
