import type { Attempt, RequestLogRow } from "../../../lib/store/log/mod.ts";
import { formatOf, type TeamModel } from "./models.ts";

/** Fields that replace those of a successful call. */
type Outcome = Partial<RequestLogRow>;

type Tried = Pick<Attempt, "outcome"> & Partial<Attempt>;

const rateLimited = {
  outcome: "upstream_error",
  status: 429,
  errorCode: "rate_limit_exceeded",
  errorType: "requests",
  errorMessage:
    "Rate limit reached for gpt-5-mini in organization org-Rk3x on requests per min (RPM): Limit 500, Used 500, Requested 1. Please try again in 120ms.",
} as const;
const overloaded = {
  outcome: "upstream_error",
  status: 529,
  errorCode: "upstream_overloaded",
  errorType: "overloaded_error",
  errorMessage: "Overloaded",
} as const;
const timedOut = { outcome: "timeout", errorCode: "upstream_timeout" } as const;
const unreachable = { outcome: "upstream_error", errorCode: "upstream_unreachable" } as const;
const unauthorized = {
  outcome: "upstream_error",
  status: 401,
  errorCode: "upstream_unauthorized",
  errorMessage: "Incorrect API key provided: sk-…X9f2. You can find your API key in the dashboard.",
} as const;
const tooLong = {
  outcome: "upstream_error",
  status: 400,
  errorCode: "context_length_exceeded",
  errorMessage: "This model's maximum context length is 400000 tokens. Your messages have 412381.",
} as const;
const fine = { outcome: "completed", status: 200 } as const;

const noCharge = { costNanoUsd: undefined, costLines: undefined, usage: undefined } as const;
const refused = {
  ...noCharge,
  outcome: "refused",
  upstreamId: undefined,
  upstreamModel: undefined,
  upstreamFormat: undefined,
  attempts: undefined,
  firstByteMs: undefined,
  durationMs: 3,
} as const;

/** The ways in which calls end, each for so many of a thousand. The rest goes well at once. */
export const outcomes = {
  retried: { share: 20, of: (model) => ({ attempts: attemptsAt(model, [overloaded, fine]) }) },
  failedOver: { share: 20, of: (model) => failedOver(model) },
  rateLimited: { share: 14, of: (model) => failed(model, [rateLimited, rateLimited, rateLimited]) },
  overloaded: { share: 6, of: (model) => failed(model, [overloaded, overloaded, overloaded]) },
  timedOut: { share: 6, of: (model) => failed(model, [timedOut]) },
  unreachable: { share: 4, of: (model) => failed(model, [unreachable, unreachable]) },
  unauthorized: { share: 2, of: (model) => failed(model, [unauthorized]) },
  tooLong: { share: 3, of: (model) => ({ ...failed(model, [tooLong]), status: 400 }) },
  interrupted: {
    share: 3,
    of: () => ({ outcome: "truncated", errorCode: "upstream_truncated" }),
  },
  clientGone: {
    share: 5,
    of: () => ({ status: 499, outcome: "client_gone", errorCode: "client_closed" }),
  },
  tooManyRequests: {
    share: 9,
    of: () => ({
      ...refused,
      status: 429,
      errorCode: "rate_limit_exceeded",
      refusedBy: {
        name: "key requests per minute",
        kind: "requests",
        limit: 600n,
        remaining: 0n,
      },
    }),
  },
  overBudget: {
    share: 7,
    of: () => ({
      ...refused,
      status: 402,
      errorCode: "insufficient_quota",
      refusedBy: {
        name: "key monthly budget",
        kind: "money",
        limit: 5_000_000_000n,
        remaining: 120_000_000n,
        timeZone: "UTC",
      },
    }),
  },
  withoutFunds: {
    share: 3,
    of: () => ({
      ...refused,
      status: 402,
      errorCode: "insufficient_quota",
      refusedBy: { name: "account balance", kind: "money", remaining: 1_200_000n },
    }),
  },
  unknownModel: {
    share: 3,
    of: () => ({ ...refused, status: 404, errorCode: "model_not_found", model: "gpt-5-minni" }),
  },
  unpriced: { share: 2, of: () => ({ ...refused, status: 403, errorCode: "model_unpriced" }) },
} as const satisfies Readonly<
  Record<string, { readonly share: number; readonly of: (model: TeamModel) => Outcome }>
>;

export type OutcomeName = keyof typeof outcomes;

function failed(model: TeamModel, tried: readonly Tried[]): Outcome {
  const { outcome, errorCode } = tried[tried.length - 1];
  return {
    ...noCharge,
    status: errorCode === "rate_limit_exceeded" ? 429 : outcome === "timeout" ? 504 : 502,
    outcome,
    errorCode,
    attempts: attemptsAt(model, tried),
    firstByteMs: undefined,
  };
}

/** The first upstream fails, the fallback answers. A model without one is tried again. */
function failedOver(model: TeamModel): Outcome {
  const upstreamId = model.fallbackId ?? model.upstreamId;
  const [first, second] = attemptsAt(model, [timedOut, fine]);
  return { upstreamId, attempts: [first, { ...second, upstreamId }] };
}

function attemptsAt(model: TeamModel, tried: readonly Tried[]): Attempt[] {
  let startedAfterMs = 4;
  return tried.map((one) => {
    const durationMs = one.outcome === "timeout" ? 30_000 : 240;
    const attempt = {
      upstreamId: model.upstreamId,
      credentialId: "1f0c9ab2",
      upstreamModel: model.id,
      upstreamFormat: formatOf(model),
      startedAfterMs,
      durationMs,
      ...one,
    };
    startedAfterMs += durationMs + 400;
    return attempt;
  });
}
