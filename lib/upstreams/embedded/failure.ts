import { type ErrorCode, GatewayError, type GatewayErrorOptions } from "../../canonical/mod.ts";
import { untilAborted } from "./pace.ts";

/** The names that `fail NAME` accepts. */
export type Failure = keyof typeof failures | "midway" | "hang";

interface FailureRow extends GatewayErrorOptions {
  readonly code: ErrorCode;
}

const failures = {
  "400": { code: "invalid_request", upstreamStatus: 400 },
  "401": { code: "upstream_unauthorized", upstreamStatus: 401 },
  "429": { code: "rate_limit_exceeded", upstreamStatus: 429, retryAfterSeconds: 2 },
  "500": { code: "upstream_error", upstreamStatus: 500 },
  "503": { code: "upstream_overloaded", upstreamStatus: 503, retryAfterSeconds: 5 },
  timeout: { code: "upstream_timeout" },
} as const satisfies Record<string, FailureRow>;

export const failureNames: readonly Failure[] = [
  // sound: the keys of a constant table
  ...Object.keys(failures) as (keyof typeof failures)[],
  "midway",
  "hang",
];

/** Throws a failure that precedes any text; `hang` waits for the cancellation. */
export async function throwFailure(
  failure: Failure | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (failure === "hang") return await untilAborted(signal);
  if (failure === undefined || failure === "midway") return;
  const { code, ...options }: FailureRow = failures[failure];
  throw new GatewayError(
    code,
    `Failed as requested: the prompt says "fail ${failure}"`,
    options,
  );
}

/** Throws a failure in the middle of the text. */
export function breakOff(failure: Failure | undefined): void {
  if (failure !== "midway") return;
  throw new GatewayError(
    "upstream_error",
    'Failed as requested: the prompt says "fail midway"',
  );
}
