import { type Attempt, attemptsKeptMax } from "./request_log_row.ts";

/** The columns of attempts in a packed row. Attempts beyond the limit are dropped. */

/** Their order is part of the format: append new fields, which older rows lack. */
const fields = [
  "upstreamId",
  "credentialId",
  "upstreamModel",
  "upstreamFormat",
  "startedAfterMs",
  "durationMs",
  "outcome",
  "status",
  "errorCode",
  "errorType",
  "errorMessage",
] as const satisfies readonly (keyof Attempt)[];

type PackedAttempt = readonly (string | number | null)[];

/** Maximum lengths of an attempt's texts: callers may write a model's name. */
const lengthMax = {
  upstreamId: 100,
  credentialId: 16,
  upstreamModel: 200,
  errorCode: 100,
  errorType: 130,
  errorMessage: 300,
} as const satisfies Partial<Record<keyof Attempt, number>>;

/** Upper bound for numbers and framing. */
const attemptBytesBase = 128;

export function packAttempts(attempts: readonly Attempt[]): PackedAttempt[] {
  return attempts.map((attempt) => {
    const cells: (string | number | null)[] = fields.map((field) => attempt[field] ?? null);
    while (cells.at(-1) === null) cells.pop();
    return cells;
  });
}

export function unpackAttempts(packed: readonly PackedAttempt[]): Attempt[] {
  return packed.map((cells) => {
    const attempt: Record<string, unknown> = {};
    for (const [at, field] of fields.entries()) {
      if ((cells[at] ?? null) !== null) attempt[field] = cells[at];
    }
    return attempt as unknown as Attempt; // written by packAttempts
  });
}

/** Returns the last attempts, with their texts cut to the maximum lengths. */
export function fitAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.slice(-attemptsKeptMax).map((attempt) => ({ ...attempt, ...cutOf(attempt) }));
}

/** Upper bound of the attempts' bytes, if each character takes up to `characterBytesMax`. */
export function attemptsBytes(attempts: readonly Attempt[], characterBytesMax: number): number {
  return attempts.slice(-attemptsKeptMax).reduce((bytes, attempt) => {
    const characters = lengthRules.reduce(
      (sum, [field, max]) => sum + Math.min(attempt[field]?.length ?? 0, max),
      0,
    );
    return bytes + attemptBytesBase + characterBytesMax * characters;
  }, 0);
}

const lengthRules = Object.entries(lengthMax) as [keyof typeof lengthMax, number][]; // the table's own keys

function cutOf(attempt: Attempt): Partial<Record<keyof typeof lengthMax, string>> {
  const cut: Partial<Record<keyof typeof lengthMax, string>> = {};
  for (const [field, max] of lengthRules) {
    const text = attempt[field];
    if (text !== undefined && text.length > max) cut[field] = `${text.slice(0, max - 1)}…`;
  }
  return cut;
}
