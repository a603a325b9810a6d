/** What a limit counts. Money is in nano-dollars; `concurrency` counts calls at the same time. */
export type LimitKind = "requests" | "tokens" | "money" | "concurrency";

/** How one limit that binds a caller stands at a moment, as the caller and the operator see it. */
export interface LimitState {
  /** Such as `key requests per minute`, `group daily budget`, `account balance`; see `limitName`. */
  readonly name: string;
  readonly kind: LimitKind;
  /** In the unit of the kind; absent where only what remains bounds, as in a wallet. */
  readonly limit?: bigint;
  /** In the unit of the kind. */
  readonly remaining: bigint;
  /** When all of it is there again; absent where no time alone brings it back. */
  readonly resetsAtMs?: number;
  /** IANA name of the zone that a reset is told in; UTC where absent. */
  readonly timeZone?: string;
}

/** Who a limit belongs to. */
export type LimitOwner = "key" | "group" | "account";

/** What there is to limit, in the words that a caller reads behind the owner's. */
const limitWords = {
  requestsPerMinute: "requests per minute",
  tokensPerMinute: "tokens per minute",
  concurrency: "concurrency",
  day: "daily budget",
  week: "weekly budget",
  month: "monthly budget",
  total: "total budget",
  balance: "balance",
} as const;

/** What a limit limits. */
export type Limited = keyof typeof limitWords;

/** The name of a limit: `group daily budget`. */
export function limitName(owner: LimitOwner, what: Limited): string {
  return `${owner} ${limitWords[what]}`;
}

const nanosPerUsd = 1_000_000_000n;

/** An amount in dollars, exact and as short as it can be: `$5`, `$0.0012`, `-$3.5`. */
export function usdText(nanoUsd: bigint): string {
  const amount = nanoUsd < 0n ? -nanoUsd : nanoUsd;
  const fraction = String(amount % nanosPerUsd).padStart(9, "0").replace(/0+$/, "");
  return `${nanoUsd < 0n ? "-" : ""}$${amount / nanosPerUsd}${fraction && `.${fraction}`}`;
}

/** When a limit resets, in its own zone: `2026-11-22T00:00:00+01:00`; undefined where it does not. */
export function resetText(
  { resetsAtMs, timeZone = "UTC" }: Pick<LimitState, "resetsAtMs" | "timeZone">,
): string | undefined {
  if (resetsAtMs === undefined) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(resetsAtMs).toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: "never", smallestUnit: "second", roundingMode: "ceil" });
}
