import type { Note, Usage } from "../../canonical/mod.ts";
import { attemptsBytes, fitAttempts } from "./request_log_attempts.ts";
import type { CostLine, RequestLogRow } from "./request_log_row.ts";

/** Maximum lengths of a row's texts, because callers write some of them. */
const lengthMax = {
  keyName: 200,
  model: 200,
  upstreamModel: 200,
  upstreamId: 100,
  errorCode: 100,
  errorType: 130,
  errorMessage: 300,
  userAgent: 300,
  ip: 64,
  tag: 100,
} as const satisfies Partial<Record<keyof RequestLogRow, number>>;

/** Keeps the first notes, about the request, and the last ones, about the answer and its cost. */
const notesMax = { first: 10, last: 10 };
const notePathLengthMax = 120;
const noteReasonLengthMax = 200;
const hostedToolsMax = 16;
const hostedToolLengthMax = 64;
const costLinesMax = 40;
const leanCostLinesMax = 4;
const bucketLengthMax = 64;
const lineNameLengthMax = 100;

/** Upper bound for numbers and framing in a packed row. */
const rowBytesBase = 960;
const noteBytesBase = 64;
const costLineBytesBase = 64;
/** The size of an escaped character. */
const characterBytesMax = 6;
/** Derived from the 800 KiB of a commit, with room for other writes. */
const commitBytesMax = 600 * 1024;

/** Cuts a row's texts to their maximum lengths; returns the same row if nothing is too long. */
export function fitRow(row: RequestLogRow): RequestLogRow {
  const cut: Partial<Record<keyof typeof lengthMax, string>> = {};
  for (const [field, max] of lengthRules) {
    const text = row[field];
    if (text !== undefined && text.length > max) cut[field] = shortened(text, max);
  }
  const { usage, statedUsage, countedUsage } = row;
  const notes = row.notes === undefined ? undefined : fitNotes(row.notes);
  const costLines = row.costLines === undefined ? undefined : fitCostLines(row.costLines);
  return {
    ...row,
    ...cut,
    ...(usage && { usage: fitUsage(usage) }),
    ...(statedUsage && { statedUsage: fitUsage(statedUsage) }),
    ...(countedUsage && { countedUsage: fitUsage(countedUsage) }),
    ...(notes && { notes }),
    ...(costLines && { costLines }),
    ...(row.attempts && { attempts: fitAttempts(row.attempts) }),
  };
}

/**
 * Yields the row and ever smaller versions, for a row that no value can hold. The last one always
 * fits.
 */
export function* smallerRows(row: RequestLogRow): Generator<RequestLogRow> {
  yield row;
  const noteless = withoutNotes(row);
  yield noteless;
  const last = { ...noteless, ...(row.attempts && { attempts: row.attempts.slice(-1) }) };
  yield last;
  const plain = { ...last, ...(row.costLines && { costLines: row.costLines.map(plainLine) }) };
  yield plain;
  yield withoutDetails(plain);
}

function plainLine({ bucket, quantity, nanoUsd }: CostLine): CostLine {
  return { bucket, quantity, nanoUsd };
}

/** Replaces the row's notes by their number. */
function withoutNotes({ notes = [], ...row }: RequestLogRow): RequestLogRow {
  const kept = {
    path: "notes",
    action: "dropped",
    reason: `${notes.length} notes not kept`,
  } as const;
  return { ...row, notes: [kept] };
}

/** Removes most details that explain the row's charge. */
function withoutDetails(row: RequestLogRow): RequestLogRow {
  const { statedUsage, countedUsage, costLines = [], ...rest } = row;
  return {
    ...rest,
    costLines: costLines.slice(0, leanCostLinesMax),
    ...(statedUsage && { statedUsage: { ...statedUsage, hostedToolCalls: {} } }),
    ...(countedUsage && { countedUsage: { ...countedUsage, hostedToolCalls: {} } }),
  };
}

/** Splits rows, in order, into runs that each fit in one commit and hold at most `rowsMax`. */
export function* runsOfRows(
  rows: readonly RequestLogRow[],
  rowsMax: number,
): Generator<readonly RequestLogRow[]> {
  let start = 0;
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    const size = rowBytes(row);
    if (index > start && (index - start >= rowsMax || bytes + size > commitBytesMax)) {
      yield rows.slice(start, index);
      [start, bytes] = [index, 0];
    }
    bytes += size;
  }
  if (start < rows.length) yield rows.slice(start);
}

const lengthRules = Object.entries(lengthMax) as [keyof typeof lengthMax, number][]; // the table's own keys

/** Upper bound of the bytes of a fitted row while it waits for compaction. */
function rowBytes(row: RequestLogRow): number {
  const { notes = [], costLines = [], attempts = [], usage } = row;
  let characters = row.id.length + row.accountId.length + row.keyId.length + row.groupId.length;
  for (const [field, max] of lengthRules) characters += Math.min(row[field]?.length ?? 0, max);
  const fitted = fitNotes(notes);
  for (const { path, reason } of fitted) characters += path.length + reason.length;
  for (const { bucket, tier = "", part = "" } of costLines.slice(0, costLinesMax)) {
    characters += Math.min(bucket.length, bucketLengthMax) +
      Math.min(tier.length, lineNameLengthMax) + Math.min(part.length, lineNameLengthMax);
  }
  for (const one of [usage, row.statedUsage, row.countedUsage]) characters += usageCharacters(one);
  return rowBytesBase + noteBytesBase * fitted.length +
    costLineBytesBase * Math.min(costLines.length, costLinesMax) +
    attemptsBytes(attempts, characterBytesMax) + characterBytesMax * characters;
}

function usageCharacters(usage?: Usage): number {
  if (!usage) return 0;
  const served = [usage.servedTier, usage.servedRegion].map((name) =>
    Math.min(name?.length ?? 0, lineNameLengthMax)
  );
  const tools = Object.keys(usage.hostedToolCalls).slice(0, hostedToolsMax)
    .map((name) => Math.min(name.length, hostedToolLengthMax) + 8);
  return [...served, ...tools].reduce((sum, length) => sum + length, 0);
}

/**
 * Removes `native` and `samplings`, which are for the answer and not for the log; the cost's lines
 * state each sampling.
 */
function fitUsage({ native: _native, samplings: _samplings, ...whole }: Usage): Usage {
  const { servedTier, servedRegion } = whole;
  const usage = {
    ...whole,
    ...(servedTier !== undefined && { servedTier: shortened(servedTier, lineNameLengthMax) }),
    ...(servedRegion !== undefined && { servedRegion: shortened(servedRegion, lineNameLengthMax) }),
  };
  const names = Object.keys(usage.hostedToolCalls);
  const fits = names.length <= hostedToolsMax &&
    names.every((name) => name.length <= hostedToolLengthMax);
  if (fits) return usage;
  const kept = Object.entries(usage.hostedToolCalls).slice(0, hostedToolsMax)
    .map(([name, calls]) => [shortened(name, hostedToolLengthMax), calls]);
  return { ...usage, hostedToolCalls: Object.fromEntries(kept) };
}

function fitCostLines(lines: readonly CostLine[]): readonly CostLine[] {
  return lines.slice(0, costLinesMax)
    .map(({ tier, part, ...line }) => ({
      ...line,
      bucket: shortened(line.bucket, bucketLengthMax),
      ...(tier !== undefined && { tier: shortened(tier, lineNameLengthMax) }),
      ...(part !== undefined && { part: shortened(part, lineNameLengthMax) }),
    }));
}

function fitNotes(notes: readonly Note[]): readonly Note[] {
  const { first, last } = notesMax;
  const within = notes.length <= first + last
    ? notes
    : [...notes.slice(0, first), ...notes.slice(-last)];
  const kept = within.map((note) => ({
    ...note,
    path: shortened(note.path, notePathLengthMax),
    reason: shortened(note.reason, noteReasonLengthMax),
  }));
  const left = notes.length - kept.length;
  if (left <= 0) return kept;
  return [...kept, { path: "notes", action: "dropped", reason: `${left} more notes not kept` }];
}

function shortened(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`;
}
