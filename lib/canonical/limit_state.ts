import { rollingMs, type RollingPeriod, rollingUnits } from "./rolling_period.ts";

/** The units of limits. */
export const limitKinds = ["requests", "tokens", "money", "concurrency"] as const;
/** The unit of a limit. Money is in nano-dollars; `concurrency` counts concurrent calls. */
export type LimitKind = typeof limitKinds[number];

/** The state of one limit of a caller at a moment, for the caller and the operator. */
export interface LimitState {
  /** Such as `key requests per minute`, `group daily budget`, `account balance`; see `limitName`. */
  readonly name: string;
  readonly kind: LimitKind;
  /** In the unit of the kind; absent for a wallet, which has only a remainder. */
  readonly limit?: bigint;
  /** In the unit of the kind. */
  readonly remaining: bigint;
  /**
   * The time at which the whole limit is available again, or a rolling budget has room for the call;
   * absent if time alone does not restore it.
   */
  readonly resetsAtMs?: number;
  /** IANA name of the reset's time zone; default: UTC. */
  readonly timeZone?: string;
  /** The group, project, tag, session or child key that the limit belongs to; absent for other owners. */
  readonly ownerId?: string;
}

/** The owners of limits that have a record. */
export const limitOwners = [
  "key",
  "group",
  "account",
  "project",
  "organization",
  "tag",
] as const;
/** The owner of a limit. */
export type LimitOwner = typeof limitOwners[number];
/** The owners of limits of a call, which may be its session or its child key. */
export const boundOwners = [...limitOwners, "session", "child"] as const;
/** The owner of a limit of a call. */
export type BoundOwner = typeof boundOwners[number];

/** The limited quantities, as they follow the owner in a limit's name. */
const limitWords = {
  requestsPerMinute: "requests per minute",
  tokensPerMinute: "tokens per minute",
  concurrency: "concurrency",
  day: "daily budget",
  week: "weekly budget",
  month: "monthly budget",
  total: "total budget",
  session: "budget",
  balance: "balance",
} as const;

type Limited = keyof typeof limitWords;

/** The name of a limit: `group daily budget`, `key rolling 5-hour budget`. */
export function limitName(owner: BoundOwner, what: Limited | RollingPeriod): string {
  return `${owner} ${limitedName(what)}`;
}

/** The name of a limit without its owner: `daily budget`, `rolling 5-hour budget`. */
export function limitedName(what: Limited | RollingPeriod): string {
  const rolling = rollingUnits(what);
  if (rolling) return `rolling ${rolling.count}-${rolling.unit} budget`;
  return limitWords[what as Limited]; // every other text is the length of a window
}

/** The name of a limit of requests or tokens in any time of a length: `key tokens in 5 hours`. */
export function windowName(
  owner: BoundOwner,
  kind: "requests" | "tokens",
  period: RollingPeriod,
): string {
  return `${owner} ${kind} in ${waitWords((rollingMs(period) ?? 0) / 1_000)}`;
}

/** The length that the name of a rolling limit states, and what it limits; undefined for others. */
export function rollingIn({ name }: Pick<LimitState, "name">) {
  const [, ofBudget, letter] = / rolling (\d+)-([mhd])\w+ budget$/.exec(name) ?? [];
  const [, kind, count, unit] = / (requests|tokens) in (\d+) ([mhd])\w+$/.exec(name) ?? [];
  const read = rollingUnits(kind === undefined ? `${ofBudget}${letter}` : `${count}${unit}`);
  const limited = (kind ?? "money") as "money" | "requests" | "tokens"; // the pattern has no others
  return read && { ...read, kind: limited };
}

/** The name of a limit with the id of its owner, if it has one: `project research daily budget`. */
export function limitTitle({ name, ownerId }: Pick<LimitState, "name" | "ownerId">): string {
  return ownerId === undefined ? name : name.replace(" ", () => ` ${ownerId} `);
}

/**
 * Returns true if only administrators see a limit's amounts: those of a project, the organization
 * or a tag show what others spend.
 */
export function hasHiddenAmounts({ name }: Pick<LimitState, "name">): boolean {
  return /^(?:project|organization|tag) /.test(name);
}

/**
 * Returns true for a limit of a session or a child key: callers can name any number of owners.
 */
export function isNamedByCaller({ name }: Pick<LimitState, "name">): boolean {
  return /^(?:session|child) /.test(name);
}

const nanosPerUsd = 1_000_000_000n;

/** An amount in dollars, exact and as short as possible: `$5`, `$0.0012`, `-$3.5`. */
export function usdText(nanoUsd: bigint): string {
  const amount = nanoUsd < 0n ? -nanoUsd : nanoUsd;
  const fraction = String(amount % nanosPerUsd).padStart(9, "0").replace(/0+$/, "");
  return `${nanoUsd < 0n ? "-" : ""}$${amount / nanosPerUsd}${fraction && `.${fraction}`}`;
}

/** The same without the dollar sign, such as `0.0012`, for programs. */
export function decimalUsd(nanoUsd: bigint): string {
  return usdText(nanoUsd).replace("$", "");
}

/** The time of a limit's reset in its own zone: `2026-11-22T00:00:00+01:00`; undefined without one. */
export function resetText(
  { resetsAtMs, timeZone = "UTC" }: Pick<LimitState, "resetsAtMs" | "timeZone">,
): string | undefined {
  if (resetsAtMs === undefined) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(resetsAtMs).toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: "never", smallestUnit: "second", roundingMode: "ceil" });
}

/** The same for a person: `Nov 22 at 00:00 Europe/Berlin, in 5 hours`; undefined without a reset. */
export function resetInWords(
  { resetsAtMs, timeZone = "UTC" }: Pick<LimitState, "resetsAtMs" | "timeZone">,
  nowMs: number,
): string | undefined {
  if (resetsAtMs === undefined) return undefined;
  const at = Math.ceil(resetsAtMs / minuteMs) * minuteMs;
  const [day, time] = [dayParts, timeParts].map((parts) =>
    new Date(at).toLocaleString("en-US", { ...parts, timeZone })
  );
  return `${day} at ${time} ${timeZone}, in ${waitWords((resetsAtMs - nowMs) / 1_000)}`;
}

const minuteMs = 60_000;
const dayParts = { month: "short", day: "numeric" } as const;
const timeParts = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** A wait, never too short: `1 second`, `90 minutes`, `5 hours 6 minutes`, `7 days`. */
export function waitWords(seconds: number): string {
  if (seconds < 120) return countOf(Math.max(1, Math.ceil(seconds)), "second");
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return countOf(minutes, "minute");
  if (minutes >= 48 * 60) return countOf(Math.ceil(minutes / (24 * 60)), "day");
  const hours = countOf(Math.floor(minutes / 60), "hour");
  return minutes % 60 === 0 ? hours : `${hours} ${countOf(minutes % 60, "minute")}`;
}

function countOf(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/**
 * Reads dollars above 0 with at most 9 decimals, such as `2.50`, as nano-dollars; undefined for any
 * other text.
 */
export function nanoUsdIn(text: string): bigint | undefined {
  const [, dollars, fraction = ""] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  return dollars === undefined ? undefined : BigInt(dollars + fraction.padEnd(9, "0")) || undefined;
}
