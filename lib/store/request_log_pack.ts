import { noUsage, type Usage } from "../canonical/mod.ts";
import { StoreError } from "./error.ts";
import type { CostLine, RequestLogRow } from "./request_log_row.ts";
import { fitRow, withoutNotes } from "./request_log_size.ts";

/** The most that one packed value takes, a little less than the 64 KiB of Deno KV. */
export const packedBytesMax = 60 * 1024;

const version = 1;

/**
 * How each field stands in a packed row, in the order of its columns. Names stand once, in the
 * first line; a row is a JSON array on a line of its own: half of what the same objects take.
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
} as const satisfies Record<keyof RequestLogRow, keyof typeof packings>;

interface Packing {
  readonly pack: (value: never) => unknown;
  readonly unpack: (value: never) => unknown;
}

type PackedLine = readonly [bucket: string, quantity: number, nanoUsd: string];

/** JSON has no integers of the size of an amount, and most buckets of a usage are zero. */
const packings = {
  plain: { pack: (value: unknown) => value, unpack: (value: unknown) => value },
  amount: { pack: (value: bigint) => String(value), unpack: (text: string) => BigInt(text) },
  usage: { pack: withoutZeros, unpack: (used: Partial<Usage>) => ({ ...noUsage, ...used }) },
  "cost lines": {
    pack: (lines: readonly CostLine[]): PackedLine[] =>
      lines.map(({ bucket, quantity, nanoUsd }) => [bucket, quantity, String(nanoUsd)]),
    unpack: (lines: readonly PackedLine[]): CostLine[] =>
      lines.map(([bucket, quantity, nanoUsd]) => ({ bucket, quantity, nanoUsd: BigInt(nanoUsd) })),
  },
} as const satisfies Record<string, Packing>;

const columnRules = Object.entries(columns).map(([field, packing]) => ({
  field: field as keyof RequestLogRow, // the table's own keys
  packing: packings[packing] as Packing, // the types of each field and its packing fit by the table above
}));
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const head = encoder.encode(JSON.stringify({ version, fields: Object.keys(columns) }));
const newline = 0x0a;

/** A row as it lies in a packed value: fitted, without its line's end. */
export function packRow(row: RequestLogRow): Uint8Array {
  const line = lineOf(fitRow(row));
  return line.length + head.length + 1 <= packedBytesMax ? line : lineOf(withoutNotes(fitRow(row)));
}

/** Puts rows that `packRow` gave into as few values as hold them, in order. */
export function packLines(lines: readonly Uint8Array[]): Uint8Array<ArrayBuffer>[] {
  const values: Uint8Array<ArrayBuffer>[] = [];
  for (const run of runsOfLines(lines)) values.push(joined(run));
  return values;
}

/** The rows of a packed value, in order. */
export function unpackRows(bytes: Uint8Array): RequestLogRow[] {
  const [first, ...lines] = decoder.decode(bytes).split("\n");
  const { version: written, fields } = JSON.parse(first);
  if (written !== version) throw unreadable(written);
  const rules = (fields as string[]).map((name) => columnRules.find(({ field }) => field === name));
  return lines.map((line) => unpackRow(JSON.parse(line), rules));
}

function lineOf(row: RequestLogRow): Uint8Array {
  const cells = columnRules.map(({ field, packing }) => {
    const value = row[field];
    return value === undefined ? null : packing.pack(value as never);
  });
  while (cells.at(-1) === null) cells.pop();
  return encoder.encode(JSON.stringify(cells));
}

function unpackRow(
  cells: readonly unknown[],
  rules: readonly (typeof columnRules[number] | undefined)[],
): RequestLogRow {
  const row: Record<string, unknown> = {};
  for (const [index, cell] of cells.entries()) {
    const rule = rules[index];
    if (cell !== null && rule) row[rule.field] = rule.packing.unpack(cell as never);
  }
  return row as unknown as RequestLogRow; // packRow wrote it from one
}

function* runsOfLines(lines: readonly Uint8Array[]): Generator<readonly Uint8Array[]> {
  let start = 0;
  let bytes = head.length;
  for (const [index, line] of lines.entries()) {
    if (index > start && bytes + 1 + line.length > packedBytesMax) {
      yield lines.slice(start, index);
      [start, bytes] = [index, head.length];
    }
    bytes += 1 + line.length;
  }
  if (start < lines.length) yield lines.slice(start);
}

function joined(lines: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = lines.reduce((sum, line) => sum + 1 + line.length, head.length);
  const bytes = new Uint8Array(size);
  bytes.set(head);
  let at = head.length;
  for (const line of lines) {
    bytes[at] = newline;
    bytes.set(line, at + 1);
    at += 1 + line.length;
  }
  return bytes;
}

function withoutZeros(usage: Usage): Partial<Usage> {
  const used = Object.entries(usage).filter(([, count]) =>
    typeof count === "number" ? count !== 0 : Object.keys(count).length > 0
  );
  return Object.fromEntries(used);
}

function unreadable(written: unknown): StoreError {
  return new StoreError(
    "unreadable",
    `Cannot read rows of the log: they were written by version ${written} of their format, this release reads version ${version}`,
  );
}
