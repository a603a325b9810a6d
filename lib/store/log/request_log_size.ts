import type { Note, Usage } from "../../canonical/mod.ts";
import { areAttemptsShort, fitAttempts, isShort } from "./request_log_attempts.ts";
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
  socket: 100,
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

/** Cuts a row's texts to their maximum lengths; returns the same row if nothing is too long. */
export function fitRow(row: RequestLogRow): RequestLogRow {
  if (isShortRow(row)) return row;
  return {
    ...row,
    ...textsOf(row),
    ...fitted(row, "usage", fitUsage),
    ...fitted(row, "statedUsage", fitUsage),
    ...fitted(row, "countedUsage", fitUsage),
    ...fitted(row, "notes", fitNotes),
    ...fitted(row, "costLines", fitCostLines),
    ...fitted(row, "attempts", fitAttempts),
  };
}

/** Most rows need no cut: no loop over names of fields, because it runs for each call. */
function isShortRow(row: RequestLogRow): boolean {
  return row.notes === undefined && areTextsShort(row) &&
    (row.costLines === undefined || areLinesShort(row.costLines)) &&
    (row.attempts === undefined || areAttemptsShort(row.attempts)) &&
    (row.usage === undefined || isUsageShort(row.usage)) &&
    (row.statedUsage === undefined || isUsageShort(row.statedUsage)) &&
    (row.countedUsage === undefined || isUsageShort(row.countedUsage));
}

function areTextsShort(row: RequestLogRow): boolean {
  return isShort(row.keyName, lengthMax.keyName) && isShort(row.model, lengthMax.model) &&
    isShort(row.upstreamModel, lengthMax.upstreamModel) &&
    isShort(row.upstreamId, lengthMax.upstreamId) &&
    isShort(row.errorCode, lengthMax.errorCode) &&
    isShort(row.errorType, lengthMax.errorType) &&
    isShort(row.errorMessage, lengthMax.errorMessage) &&
    isShort(row.userAgent, lengthMax.userAgent) && isShort(row.ip, lengthMax.ip) &&
    isShort(row.tag, lengthMax.tag) && isShort(row.socket, lengthMax.socket);
}

/** The row's texts that are too long, cut. */
function textsOf(row: RequestLogRow): Partial<RequestLogRow> | undefined {
  let cut: Partial<Record<keyof typeof lengthMax, string>> | undefined;
  for (const [field, max] of lengthRules) {
    const text = row[field];
    if (text !== undefined && text.length > max) cut = { ...cut, [field]: shortened(text, max) };
  }
  return cut;
}

/** A field, cut if it has to be; undefined if the row has none. */
function fitted<Field extends keyof RequestLogRow>(
  row: RequestLogRow,
  field: Field,
  fit: (value: NonNullable<RequestLogRow[Field]>) => RequestLogRow[Field],
): Partial<RequestLogRow> | undefined {
  const value = row[field];
  return value === undefined ? undefined : { [field]: fit(value) };
}

/** Yields ever smaller versions of a row that no value can hold. The last one always fits. */
export function* smallerRows(row: RequestLogRow): Generator<RequestLogRow> {
  const noteless = withoutNotes(row);
  yield noteless;
  const last = { ...noteless, ...(row.attempts && { attempts: row.attempts.slice(-1) }) };
  yield last;
  const plain = { ...last, ...(row.costLines && { costLines: row.costLines.map(plainLine) }) };
  yield plain;
  yield withoutDetails(plain);
}

function plainLine({ bucket, quantity, nanoUsd, savedNanoUsd }: CostLine): CostLine {
  return { bucket, quantity, nanoUsd, ...(savedNanoUsd !== undefined && { savedNanoUsd }) };
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

const lengthRules = Object.entries(lengthMax) as [keyof typeof lengthMax, number][]; // the table's own keys

function fitUsage(usage: Usage): Usage {
  if (isUsageShort(usage)) return usage;
  const { servedTier, servedRegion, hostedToolCalls } = usage;
  const kept = Object.entries(hostedToolCalls).slice(0, hostedToolsMax)
    .map(([name, calls]) => [shortened(name, hostedToolLengthMax), calls]);
  return {
    ...usage,
    hostedToolCalls: Object.fromEntries(kept),
    ...(servedTier && { servedTier: shortened(servedTier, lineNameLengthMax) }),
    ...(servedRegion && { servedRegion: shortened(servedRegion, lineNameLengthMax) }),
  };
}

function isUsageShort({ servedTier, servedRegion, hostedToolCalls }: Usage): boolean {
  return isShort(servedTier, lineNameLengthMax) && isShort(servedRegion, lineNameLengthMax) &&
    areToolsFew(hostedToolCalls);
}

function areToolsFew(calls: Usage["hostedToolCalls"]): boolean {
  let count = 0;
  for (const name in calls) {
    if (++count > hostedToolsMax || name.length > hostedToolLengthMax) return false;
  }
  return true;
}

function fitCostLines(lines: readonly CostLine[]): readonly CostLine[] {
  return areLinesShort(lines) ? lines : lines.slice(0, costLinesMax).map(shortLine);
}

function areLinesShort(lines: readonly CostLine[]): boolean {
  if (lines.length > costLinesMax) return false;
  for (const { bucket, tier, part } of lines) {
    const isLineShort = isShort(bucket, bucketLengthMax) && isShort(tier, lineNameLengthMax) &&
      isShort(part, lineNameLengthMax);
    if (!isLineShort) return false;
  }
  return true;
}

function shortLine({ tier, part, ...line }: CostLine): CostLine {
  return {
    ...line,
    bucket: shortened(line.bucket, bucketLengthMax),
    ...(tier !== undefined && { tier: shortened(tier, lineNameLengthMax) }),
    ...(part !== undefined && { part: shortened(part, lineNameLengthMax) }),
  };
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
