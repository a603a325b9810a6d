import { withoutGapAtEnd } from "./log_lines.ts";
import { type Attempt, attemptsKeptMax } from "./request_log_row.ts";

/** The columns of attempts in a packed row. Attempts beyond the limit are dropped. */

/** Their order is part of the format: append new fields. */
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
  "model",
] as const satisfies readonly (keyof Attempt)[];

/** JSON writes null for undefined. */
export type PackedAttempt = readonly (string | number | null | undefined)[];

/** Maximum lengths of an attempt's texts: callers may write a model's name. */
const lengthMax = {
  upstreamId: 100,
  credentialId: 16,
  upstreamModel: 200,
  errorCode: 100,
  errorType: 130,
  errorMessage: 300,
  model: 200,
} as const satisfies Partial<Record<keyof Attempt, number>>;

/** Returns the cells of an attempt's fields, in their order. */
export function packAttempt(attempt: Attempt): PackedAttempt {
  return withoutGapAtEnd([
    attempt.upstreamId,
    attempt.credentialId,
    attempt.upstreamModel,
    attempt.upstreamFormat,
    attempt.startedAfterMs,
    attempt.durationMs,
    attempt.outcome,
    attempt.status,
    attempt.errorCode,
    attempt.errorType,
    attempt.errorMessage,
    attempt.model,
  ]);
}

export function unpackAttempts(packed: readonly PackedAttempt[]): Attempt[] {
  return packed.map((cells) => {
    const attempt: Record<string, unknown> = {};
    for (const [at, field] of fields.entries()) {
      if ((cells[at] ?? null) !== null) attempt[field] = cells[at];
    }
    return attempt as unknown as Attempt; // packAttempt wrote it
  });
}

/** Returns the last attempts, with their texts cut to the maximum lengths; the same if they fit. */
export function fitAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  if (areAttemptsShort(attempts)) return attempts;
  return attempts.slice(-attemptsKeptMax).map((attempt) => ({ ...attempt, ...cutOf(attempt) }));
}

export function areAttemptsShort(attempts: readonly Attempt[]): boolean {
  if (attempts.length > attemptsKeptMax) return false;
  for (const attempt of attempts) if (!isShortAttempt(attempt)) return false;
  return true;
}

function isShortAttempt(attempt: Attempt): boolean {
  return isShort(attempt.upstreamId, lengthMax.upstreamId) &&
    isShort(attempt.credentialId, lengthMax.credentialId) &&
    isShort(attempt.upstreamModel, lengthMax.upstreamModel) &&
    isShort(attempt.errorCode, lengthMax.errorCode) &&
    isShort(attempt.errorType, lengthMax.errorType) &&
    isShort(attempt.errorMessage, lengthMax.errorMessage) &&
    isShort(attempt.model, lengthMax.model);
}

/** Returns true for a text within its maximum length, and without one. */
export function isShort(text: string | undefined, max: number): boolean {
  return text === undefined || text.length <= max;
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
