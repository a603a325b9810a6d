import {
  type LimitState,
  noUsage,
  type TokenBucket,
  tokenBuckets,
  type Usage,
} from "../../canonical/mod.ts";
import { StoreError } from "../kv/error.ts";
import {
  lineBytes,
  linesBytesMax,
  packRun,
  textOfLines,
  unpackLines,
  withoutGapAtEnd,
} from "./log_lines.ts";
import { packAttempt, unpackAttempts } from "./request_log_attempts.ts";
import type { CostLine, RequestLogRow } from "./request_log_row.ts";
import { fitRow, smallerRows } from "./request_log_size.ts";

const version = 1;

/**
 * The encoding of each field in a packed row, in column order. Names are written once, in the first
 * line; each row is a JSON array on a line of its own. This takes half the bytes of JSON objects.
 */
const columns = {
  id: "plain",
  atMs: "plain",
  accountId: "plain",
  keyId: "plain",
  keyName: "plain",
  groupId: "plain",
  model: "plain",
  format: "plain",
  operation: "plain",
  stream: "plain",
  status: "plain",
  outcome: "plain",
  durationMs: "plain",
  ip: "plain",
  userAgent: "plain",
  upstreamModel: "plain",
  upstreamId: "plain",
  upstreamFormat: "plain",
  firstByteMs: "plain",
  usageSource: "plain",
  usage: "usage",
  costNanoUsd: "amount",
  costLines: "cost lines",
  uncoveredNanoUsd: "amount",
  errorCode: "plain",
  notes: "plain",
  attempts: "attempts",
  refusedBy: "limit",
  tag: "plain",
  statedUsage: "usage",
  countedUsage: "usage",
  errorType: "plain",
  errorMessage: "plain",
  projectId: "plain",
  tags: "plain",
} as const satisfies Record<keyof RequestLogRow, keyof typeof unpackings>;

type PackedUsage = readonly [Usage["hostedToolCalls"], ...(number | PackedServed)[]];
/** The last cell, if the answer stated its service tier or region. */
type PackedServed = Pick<Usage, "servedTier" | "servedRegion">;
type PackedLimit =
  & Omit<LimitState, "limit" | "remaining">
  & { readonly limit?: string; readonly remaining: string };
type PackedLine = readonly [
  bucket: string,
  quantity: number,
  nanoUsd: string,
  tier?: string | null,
  part?: string | null,
];

/** The decodings of cells, which `lineOf` encodes. JSON has no integers of the size of an amount. */
const unpackings = {
  plain: (value: unknown) => value,
  amount: (text: string) => BigInt(text),
  usage: unpackUsage,
  attempts: unpackAttempts,
  limit: unpackLimit,
  "cost lines": (lines: readonly PackedLine[]): CostLine[] => lines.map(unpackLine),
} as const satisfies Record<string, (cell: never) => unknown>;

const columnRules = Object.entries(columns).map(([field, encoding]) => ({
  field: field as keyof RequestLogRow, // the table's own keys
  unpack: unpackings[encoding] as (cell: never) => unknown, // the table above pairs each field with its own
}));
const head = JSON.stringify({ version, fields: Object.keys(columns) });
const headBytes = lineBytes(head);

/** Ten values of rows fit into the 800 KiB of a commit, with room for other writes. */
const valuesPerCommit = 10;

/** A row and its line in a packed value. */
export interface PackedRow {
  /** The row as its line has it, cut to size. */
  readonly row: RequestLogRow;
  readonly line: string;
  /** Bytes of the line. */
  readonly bytes: number;
}

/** Packs a row as a line, fitted to the size of one value. */
export function packRow(source: RequestLogRow): PackedRow {
  let packed = packedLine(fitRow(source));
  if (fits(packed)) return packed;
  for (const smaller of smallerRows(packed.row)) {
    packed = packedLine(smaller);
    if (fits(packed)) break;
  }
  return packed;
}

function packedLine(row: RequestLogRow): PackedRow {
  const line = lineOf(row);
  return { row, line, bytes: lineBytes(line) };
}

function fits({ bytes }: PackedRow): boolean {
  return headBytes + bytes <= linesBytesMax;
}

/** Splits rows, in order, into runs that each fit into one value. */
export function runsOfValues(rows: readonly PackedRow[]): (readonly PackedRow[])[] {
  const runs: (readonly PackedRow[])[] = [];
  for (let left = rows; left.length > 0;) {
    const taken = Math.max(rowsThatFit(left), 1);
    runs.push(taken === left.length ? left : left.slice(0, taken));
    left = left.slice(taken);
  }
  return runs;
}

/** Packs rows into as few values as possible, in order. */
export function packRows(rows: readonly PackedRow[]): Uint8Array<ArrayBuffer>[] {
  return runsOfValues(rows).map(packFitting);
}

/** Returns how many of the first rows fit into one value. */
export function rowsThatFit(rows: readonly PackedRow[]): number {
  let bytes = headBytes;
  for (let at = 0; at < rows.length; at++) {
    bytes += rows[at].bytes;
    if (bytes > linesBytesMax) return at;
  }
  return rows.length;
}

/** Splits rows, in order, into runs that each fit in one commit and hold at most `rowsMax`. */
export function* runsOfRows(
  rows: readonly PackedRow[],
  rowsMax: number,
): Generator<readonly PackedRow[]> {
  for (let left = rows; left.length > 0;) {
    const taken = Math.min(rowsOfCommit(left), rowsMax);
    yield left.slice(0, taken);
    left = left.slice(taken);
  }
}

function rowsOfCommit(rows: readonly PackedRow[]): number {
  let taken = 0;
  for (let value = 0; value < valuesPerCommit && taken < rows.length; value++) {
    taken += Math.max(rowsThatFit(taken === 0 ? rows : rows.slice(taken)), 1);
  }
  return taken;
}

/** Returns true if a packed value was written by a release whose rows had this field. */
export function knowsField(value: Uint8Array, field: keyof RequestLogRow): boolean {
  const { head: written } = unpackLines(value);
  return written === head || JSON.parse(written).fields.includes(field);
}

/** Packs the rows that `rowsThatFit` counted into one value. */
export function packFitting(rows: readonly PackedRow[]): Uint8Array<ArrayBuffer> {
  return packRun(head, rows.map(({ line }) => line));
}

/** Unpacks the rows of a value, in order, each with its line. */
export function unpackRows(value: Uint8Array): PackedRow[] {
  const { head: written, lines, ascii } = unpackLines(value);
  const rules = rulesOf(written);
  return lines.map((text) => {
    const row = unpackRow(JSON.parse(text), rules);
    if (written !== head) return packRow(row);
    return { row, line: text, bytes: ascii ? text.length + 1 : lineBytes(text) };
  });
}

/**
 * Unpacks some rows of a value without reading the others; undefined for positions that it does not
 * have, and for rows whose line `mayMatch` rejects. It gets the text of the whole value first.
 */
export function unpackRowsAt(
  bytes: Uint8Array,
  positions: readonly number[],
  mayMatch: (text: string) => boolean = () => true,
): (RequestLogRow | undefined)[] {
  const text = textOfLines(bytes);
  if (!mayMatch(text)) return positions.map(() => undefined);
  const { head: written, lines } = unpackLines(bytes, text);
  const rules = rulesOf(written);
  return positions.map((position) => {
    const line = lines[position];
    return line !== undefined && mayMatch(line) ? unpackRow(JSON.parse(line), rules) : undefined;
  });
}

/** Finds columns by name, so that a later release may add some. */
function rulesOf(written: string): readonly (typeof columnRules[number] | undefined)[] {
  if (written === head) return columnRules;
  const { version: from, fields } = JSON.parse(written);
  if (from !== version) throw unreadable(from);
  return (fields as string[]).map((name) => columnRules.find(({ field }) => field === name)); // the same version wrote it
}

/** The cells of the columns, in their order. JSON writes null for undefined. */
function lineOf(row: RequestLogRow): string {
  const cells = [
    row.id,
    row.atMs,
    row.accountId,
    row.keyId,
    row.keyName,
    row.groupId,
    row.model,
    row.format,
    row.operation,
    row.stream,
    row.status,
    row.outcome,
    row.durationMs,
    row.ip,
    row.userAgent,
    row.upstreamModel,
    row.upstreamId,
    row.upstreamFormat,
    row.firstByteMs,
    row.usageSource,
    row.usage && packUsage(row.usage),
    packAmount(row.costNanoUsd),
    row.costLines?.map(packLine),
    packAmount(row.uncoveredNanoUsd),
    row.errorCode,
    row.notes,
    row.attempts?.map(packAttempt),
    row.refusedBy && packLimit(row.refusedBy),
    row.tag,
    row.statedUsage && packUsage(row.statedUsage),
    row.countedUsage && packUsage(row.countedUsage),
    row.errorType,
    row.errorMessage,
    row.projectId,
    row.tags,
  ];
  return JSON.stringify(withoutGapAtEnd(cells));
}

function unpackRow(
  cells: readonly unknown[],
  rules: readonly (typeof columnRules[number] | undefined)[],
): RequestLogRow {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < cells.length; at++) {
    const [cell, rule] = [cells[at], rules[at]];
    if (cell !== null && rule) row[rule.field] = rule.unpack(cell as never); // lineOf wrote it
  }
  return row as unknown as RequestLogRow; // packRow wrote it from one
}

function packAmount(amount: bigint | undefined): string | undefined {
  return amount === undefined ? undefined : String(amount);
}

function packLimit({ limit, remaining, ...rest }: LimitState): PackedLimit {
  return {
    ...rest,
    remaining: String(remaining),
    ...(limit !== undefined && { limit: String(limit) }),
  };
}

function unpackLimit({ limit, remaining, ...rest }: PackedLimit): LimitState {
  return {
    ...rest,
    remaining: BigInt(remaining),
    ...(limit !== undefined && { limit: BigInt(limit) }),
  };
}

function packLine({ bucket, quantity, nanoUsd, tier, part }: CostLine): PackedLine {
  const amount = String(nanoUsd);
  if (part !== undefined) return [bucket, quantity, amount, tier ?? null, part];
  return tier === undefined ? [bucket, quantity, amount] : [bucket, quantity, amount, tier];
}

function unpackLine([bucket, quantity, nanoUsd, tier, part]: PackedLine): CostLine {
  return {
    bucket,
    quantity,
    nanoUsd: BigInt(nanoUsd),
    ...(tier && { tier }),
    ...(part && { part }),
  };
}

/** Leaves out `native` and `samplings`: they are for the answer, and the cost's lines state each sampling. */
function packUsage(usage: Usage): PackedUsage {
  const { servedTier, servedRegion } = usage;
  const cells: [Usage["hostedToolCalls"], ...(number | PackedServed)[]] = [usage.hostedToolCalls];
  for (const bucket of tokenBuckets) cells.push(usage[bucket]);
  if (servedTier !== undefined || servedRegion !== undefined) {
    cells.push({
      ...(servedTier !== undefined && { servedTier }),
      ...(servedRegion !== undefined && { servedRegion }),
    });
  }
  return cells;
}

/** The served tier comes after all buckets, because earlier releases had fewer buckets. */
function unpackUsage([hostedToolCalls, ...cells]: PackedUsage): Usage {
  const counts = cells.filter((cell) => typeof cell === "number");
  const served = cells.find((cell) => typeof cell !== "number");
  const used: Partial<Record<TokenBucket, number>> = {};
  for (const [at, bucket] of tokenBuckets.entries()) used[bucket] = counts[at] ?? 0;
  return { ...noUsage, ...used, hostedToolCalls, ...served };
}

function unreadable(written: unknown): StoreError {
  return new StoreError(
    "unreadable",
    `Cannot read rows of the log: they were written by version ${written} of their format, this release reads version ${version}`,
  );
}
