import type { Note, Usage } from "../../canonical/mod.ts";
import { fitAttempts } from "./request_log_attempts.ts";
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

/** Cuts a row's texts to their maximum lengths; returns the same row if nothing is too long. */
export function fitRow(row: RequestLogRow): RequestLogRow {
  const fit = {
    ...textsOf(row),
    ...changed(row, "usage", fitUsage),
    ...changed(row, "statedUsage", fitUsage),
    ...changed(row, "countedUsage", fitUsage),
    ...changed(row, "notes", fitNotes),
    ...changed(row, "costLines", fitCostLines),
    ...changed(row, "attempts", fitAttempts),
  };
  for (const _ in fit) return { ...row, ...fit };
  return row;
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

/** A field that had to be cut; undefined if `fit` returns it as it is. */
function changed<Field extends keyof RequestLogRow>(
  row: RequestLogRow,
  field: Field,
  fit: (value: NonNullable<RequestLogRow[Field]>) => NonNullable<RequestLogRow[Field]>,
): Partial<RequestLogRow> | undefined {
  const value = row[field];
  if (value === undefined) return undefined;
  const cut = fit(value);
  return cut === value ? undefined : { [field]: cut };
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

const lengthRules = Object.entries(lengthMax) as [keyof typeof lengthMax, number][]; // the table's own keys

function fitUsage(usage: Usage): Usage {
  const { servedTier = "", servedRegion = "", hostedToolCalls } = usage;
  const isServedShort = servedTier.length <= lineNameLengthMax &&
    servedRegion.length <= lineNameLengthMax;
  if (isServedShort && areToolsFew(hostedToolCalls)) return usage;
  const kept = Object.entries(hostedToolCalls).slice(0, hostedToolsMax)
    .map(([name, calls]) => [shortened(name, hostedToolLengthMax), calls]);
  return {
    ...usage,
    hostedToolCalls: Object.fromEntries(kept),
    ...(servedTier && { servedTier: shortened(servedTier, lineNameLengthMax) }),
    ...(servedRegion && { servedRegion: shortened(servedRegion, lineNameLengthMax) }),
  };
}

function areToolsFew(calls: Usage["hostedToolCalls"]): boolean {
  let count = 0;
  for (const name in calls) {
    if (++count > hostedToolsMax || name.length > hostedToolLengthMax) return false;
  }
  return true;
}

function fitCostLines(lines: readonly CostLine[]): readonly CostLine[] {
  const areShort = lines.length <= costLinesMax && lines.every(isShort);
  return areShort ? lines : lines.slice(0, costLinesMax).map(shortLine);
}

function isShort({ bucket, tier = "", part = "" }: CostLine): boolean {
  return bucket.length <= bucketLengthMax && tier.length <= lineNameLengthMax &&
    part.length <= lineNameLengthMax;
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
