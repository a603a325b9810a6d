import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Caller } from "../../lib/accounts/authorize.ts";
import {
  type GatewayError,
  type LimitKind,
  limitName,
  type LimitOwner,
  type LimitState,
} from "../../lib/canonical/mod.ts";
import type { CurrentLimit } from "../../lib/ledger/current_limits.ts";
import {
  limitRefusal,
  type LimitRequest,
  limitRequestsOf,
  type NeededAmount,
} from "../../lib/ledger/limit_requests.ts";
import { minuteOf, periodOf } from "../../lib/ledger/period.ts";
import { moneyRefusal, rateRefusal } from "../../lib/ledger/refusal.ts";
import type { Bounds } from "../../lib/store/money/mod.ts";
import { sampleGroup, sampleKey, sampleUser } from "../store/samples.ts";

type Need = Parameters<typeof limitRequestsOf>[1];
type Options = Parameters<typeof limitRequestsOf>[2];

const zone = fc.constantFrom("UTC", "Asia/Shanghai", "America/New_York", "Asia/Kathmandu");
const bounds: fc.Arbitrary<Bounds> = fc.record({
  limits: fc.record({
    requestsPerMinute: fc.nat(),
    tokensPerMinute: fc.nat(),
    concurrency: fc.nat(),
  }, { requiredKeys: [] }),
  budgets: fc.uniqueArray(
    fc.record({
      nanoUsd: fc.bigInt({ min: 0n, max: 10n ** 15n }),
      period: fc.constantFrom("day", "week", "month", "total"),
      timeZone: zone,
    }, { requiredKeys: ["nanoUsd", "period"] }),
    { selector: ({ period }) => period, maxLength: 4 },
  ),
}, { requiredKeys: [] });
const caller = fc.record({
  key: bounds.map((bounds) => sampleKey(bounds)),
  group: bounds.map((bounds) => sampleGroup(bounds)),
  account: fc.tuple(bounds, fc.constantFrom("prepaid", "unlimited"))
    .map(([bounds, spending]) => sampleUser({ ...bounds, spending })),
});
const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
const need: fc.Arbitrary<Need> = fc.record({
  nanoUsd: amount,
  enoughNanoUsd: amount,
  leastNanoUsd: amount,
  tokens: fc.oneof(fc.constant(0n), amount),
}, { requiredKeys: ["nanoUsd", "leastNanoUsd", "tokens"] });
const options: fc.Arbitrary<Options> = fc.record({
  // before and after midnights, in one minute and in several
  nowMs: fc.tuple(fc.integer({ min: -3, max: 3 }), fc.nat({ max: 90_000 }))
    .map(([hours, ms]) => Date.UTC(2026, 10, 30, 16) + hours * 3_600_000 + ms),
  timeZone: zone,
  moneyWaitMs: fc.nat(),
});

Deno.test("limitRequestsOf: later calls of a caller request the same as the first one would", () => {
  fc.assert(
    fc.property(
      caller,
      fc.string(),
      fc.array(fc.tuple(need, options), { minLength: 1, maxLength: 6 }),
      (caller, otherId, calls) => {
        const other = { ...caller, key: { ...caller.key, accountId: otherId } };
        for (const [need, options] of calls) {
          for (const one of [caller, other]) {
            assertEquals(
              limitRequestsOf(one, need, options).map(flat).map(shown),
              expected(one, need, options).map(shown),
            );
          }
        }
      },
    ),
    { numRuns: 200 },
  );
});

/** A request in one record, without the facts that reserving does not need. */
interface FlatRequest
  extends Omit<CurrentLimit, "owner" | "ownerId" | "period">, Omit<NeededAmount, "ample"> {
  readonly refusal: (state: LimitState) => GatewayError;
}

function flat(request: LimitRequest): FlatRequest {
  const { owner: _, ownerId: __, period: ___, ...current } = request.current;
  const { ample, ...needed } = request.needed;
  assertEquals(ample, needed.amount * needed.partPerCall);
  const refusal = ({ remaining }: LimitState) => limitRefusal(request, remaining);
  return { ...current, ...needed, refusal };
}

/** A request, with its refusal as an error. */
function shown({ refusal, ...request }: FlatRequest) {
  const { endsAtMs, debtId } = request;
  const { message, refuser: _, ...error } = refusal({ ...request.state, remaining: 1n });
  return { ...request, endsAtMs, debtId, message, error };
}

/** The requests, each built separately. */
function expected(caller: Caller, need: Need, options: Options): FlatRequest[] {
  const { key, group, account } = caller;
  const { accountId } = key;
  const money = moneyPart(need, options);
  const wallet: FlatRequest = {
    allowanceId: `wallet:${accountId}`,
    limit: account.spending === "unlimited" ? { type: "none" } : { type: "wallet", accountId },
    state: { name: limitName("account", "balance"), kind: "money" },
    ...money,
  };
  return [
    ...ownRequests("key", key.id, key),
    ...ownRequests("group", group.id, group),
    ...ownRequests("account", accountId, account),
    ...(need.nanoUsd > 0n ? [wallet] : []),
  ];

  function ownRequests(owner: LimitOwner, id: string, { limits = {}, budgets = [] }: Bounds) {
    const minute = minuteOf(options.nowMs);
    const perMinute = { endsAtMs: minute.endsAtMs };
    const { requestsPerMinute, tokensPerMinute, concurrency } = limits;
    const rate = (kind: Exclude<LimitKind, "money">, limit: number | undefined): FlatRequest[] => {
      const amount = kind === "tokens" ? need.tokens : 1n;
      if (limit === undefined || amount === 0n) return [];
      const field = kind === "concurrency" ? kind : `${kind}PerMinute` as const;
      return [{
        allowanceId: `${kind}:${owner}:${id}:${kind === "concurrency" ? "now" : minute.id}`,
        kind,
        limit: { type: "amount", amount: BigInt(limit) },
        amount,
        enough: 1n,
        least: 1n,
        partPerCall: 1n,
        waitMs: kind === "concurrency" ? 1_000 : 200,
        ...(kind === "tokens" && { debtId: `${owner}:${id}` }),
        ...(kind !== "concurrency" && perMinute),
        state: {
          name: limitName(owner, field),
          kind,
          limit: BigInt(limit),
          ...(owner === "group" && { ownerId: id }),
          ...(kind !== "concurrency" && { resetsAtMs: minute.endsAtMs }),
        },
        refusal: (state) => rateRefusal(state, options.nowMs),
      }];
    };
    const paid = budgets.map(({ period, nanoUsd, timeZone = options.timeZone }): FlatRequest => {
      const { id: periodId, endsAtMs } = periodOf(period, timeZone, options.nowMs);
      return {
        allowanceId: `budget:${owner}:${id}:${periodId}`,
        limit: { type: "amount", amount: nanoUsd },
        ...(endsAtMs !== undefined && { endsAtMs }),
        state: {
          name: limitName(owner, period),
          kind: "money",
          limit: nanoUsd,
          timeZone,
          ...(owner === "group" && { ownerId: id }),
          ...(endsAtMs !== undefined && { resetsAtMs: endsAtMs }),
        },
        ...money,
      };
    });
    return [
      ...rate("requests", requestsPerMinute),
      ...rate("tokens", tokensPerMinute),
      ...rate("concurrency", concurrency),
      ...(need.nanoUsd > 0n ? paid : []),
    ];
  }
}

function moneyPart(
  { nanoUsd, enoughNanoUsd = nanoUsd, leastNanoUsd }: Need,
  { moneyWaitMs, nowMs }: Options,
) {
  return {
    kind: "money",
    amount: nanoUsd,
    enough: enoughNanoUsd,
    partPerCall: 4n,
    least: leastNanoUsd,
    waitMs: moneyWaitMs,
    refusal: (state: Parameters<FlatRequest["refusal"]>[0]) =>
      moneyRefusal(state, { mostNanoUsd: nanoUsd, leastNanoUsd }, nowMs),
  } as const;
}
