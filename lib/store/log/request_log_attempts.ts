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

export function packAttempts(attempts: readonly Attempt[]): PackedAttempt[] {
  return attempts.map(packAttempt);
}

function packAttempt(attempt: Attempt): PackedAttempt {
  const cells: (string | number | null)[] = [];
  let length = 0;
  for (const field of fields) {
    const value = attempt[field] ?? null;
    if (value === null) cells.push(null);
    else length = cells.push(value);
  }
  cells.length = length;
  return cells;
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

/** Returns the last attempts, with their texts cut to the maximum lengths; the same if they fit. */
export function fitAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  if (attempts.length <= attemptsKeptMax && attempts.every(isShort)) return attempts;
  return attempts.slice(-attemptsKeptMax).map((attempt) => ({ ...attempt, ...cutOf(attempt) }));
}

function isShort(attempt: Attempt): boolean {
  return lengthRules.every(([field, max]) => (attempt[field]?.length ?? 0) <= max);
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
