import type { LimitState } from "../../canonical/mod.ts";
import { withoutGapAtEnd } from "./log_lines.ts";
import { packUsage, unpackUsage } from "./packed_usage.ts";
import { packAttempt, type PackedAttempt, unpackAttempts } from "./request_log_attempts.ts";
import {
  type CostLine,
  type OperatorCost,
  type RequestLogRow,
  sessionIn,
  sessionText,
} from "./request_log_row.ts";

/**
 * The columns of packed rows: how the fields of a row become the cells of two JSON arrays, one that
 * most calls of an application share, and one of the call's own. A row takes a third of the bytes
 * that it needs as one array.
 */

/** The encoding of each field that calls share, in column order: those that few calls have come last. */
const sharedColumns = {
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
  ip: "plain",
  userAgent: "plain",
  upstreamModel: "plain",
  upstreamId: "plain",
  upstreamFormat: "plain",
  usageSource: "plain",
  costLineKinds: "plain",
  attemptPlaces: "plain",
  projectId: "plain",
  errorCode: "plain",
  errorType: "plain",
  notes: "plain",
  tag: "plain",
  tags: "plain",
  socket: "plain",
  chain: "plain",
} as const satisfies Partial<Record<keyof RequestLogRow | keyof Parts, keyof typeof unpackings>>;

/** The encoding of each field of the call's own, likewise. */
const ownColumns = {
  id: "plain",
  atMs: "plain",
  durationMs: "plain",
  firstByteMs: "plain",
  usage: "usage",
  costNanoUsd: "amount",
  costLines: "cost lines",
  attempts: "attempts",
  session: "session",
  upstreamCost: "upstream cost",
  uncoveredNanoUsd: "amount",
  refusedBy: "limit",
  statedUsage: "usage",
  countedUsage: "usage",
  errorMessage: "plain",
  cacheMiss: "plain",
  replayOf: "plain",
  refuser: "plain",
} as const satisfies Record<
  Exclude<keyof RequestLogRow, keyof typeof sharedColumns>,
  keyof typeof unpackings
>;

/** The shared parts of cost lines and attempts. */
interface Parts {
  readonly costLineKinds?: readonly LineKind[];
  readonly attemptPlaces?: readonly PackedAttempt[];
}

type LineKind = readonly [bucket: string, tier?: string | null, part?: string];
type LineAmount = readonly [quantity: number, nanoUsd: Amount, savedNanoUsd?: Amount];
/** An amount in nano-dollars: text only if a number would lose digits. */
type Amount = number | string;

type PackedLimit =
  & Omit<LimitState, "limit" | "remaining">
  & { readonly limit?: string; readonly remaining: string };

/** The decodings of cells. */
const unpackings = {
  plain: (value: unknown) => value,
  amount: (amount: Amount) => BigInt(amount),
  usage: unpackUsage,
  attempts: unpackAttemptCells,
  limit: unpackLimit,
  "cost lines": unpackCostLines,
  session: sessionIn,
  "upstream cost": unpackUpstreamCost,
} as const satisfies Record<string, (cell: never, parts: Parts) => unknown>;

/** The decoding of a column; undefined for a column of a later release. */
type Column = {
  readonly name: string;
  readonly unpack: (cell: never, parts: Parts) => unknown;
} | undefined;

/** Columns in the order of their cells. */
export type Columns = readonly Column[];

const columnsByName = new Map(
  Object.entries({ ...sharedColumns, ...ownColumns })
    .map(([name, encoding]) => [name, { name, unpack: unpackings[encoding] }] as const),
);

/** The names of the columns, in order. */
export const columnNames = {
  shared: Object.keys(sharedColumns),
  fields: Object.keys(ownColumns),
} as const;

/** Those of ordinary rows. The names take as many bytes as such a row. */
export const ordinaryColumnNames = {
  shared: columnNames.shared.slice(0, columnNames.shared.indexOf("projectId")),
  fields: columnNames.fields.slice(0, columnNames.fields.indexOf("uncoveredNanoUsd")),
} as const;

/** Finds columns by name, so that a later release may add some. */
export function columnsOf(names: readonly string[]): Columns {
  return names.map((name) => columnsByName.get(name));
}

/** The texts of both arrays of a row. */
interface CellTexts {
  readonly shared: string;
  readonly own: string;
  /** True if it has no other columns than `ordinaryColumnNames`. */
  readonly isOrdinary: boolean;
}

/** Writes cells in the order of both tables of columns. JSON writes null for undefined. */
export function packCells(row: RequestLogRow): CellTexts {
  const attempts = row.attempts?.map(packAttempt);
  const shared = [
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
    row.ip,
    row.userAgent,
    row.upstreamModel,
    row.upstreamId,
    row.upstreamFormat,
    row.usageSource,
    row.costLines?.map(lineKind),
    attempts?.map((cells) => cells.slice(0, placeCells)),
    row.projectId,
    row.errorCode,
    row.errorType,
    row.notes,
    row.tag,
    row.tags,
    row.socket,
    row.chain,
  ];
  const own = [
    row.id,
    row.atMs,
    row.durationMs,
    row.firstByteMs,
    row.usage && packUsage(row.usage),
    row.costNanoUsd !== undefined ? packAmount(row.costNanoUsd) : undefined,
    row.costLines?.map(lineAmount),
    attempts?.map((cells) => cells.slice(placeCells)),
    row.session && sessionText(row.session),
    row.upstreamCost && packUpstreamCost(row.upstreamCost),
    row.uncoveredNanoUsd !== undefined ? packAmount(row.uncoveredNanoUsd) : undefined,
    row.refusedBy && packLimit(row.refusedBy),
    row.statedUsage && packUsage(row.statedUsage),
    row.countedUsage && packUsage(row.countedUsage),
    row.errorMessage,
    row.cacheMiss,
    row.replayOf,
    row.refuser,
  ];
  withoutGapAtEnd(shared);
  withoutGapAtEnd(own);
  return {
    shared: JSON.stringify(shared),
    own: JSON.stringify(own),
    isOrdinary: shared.length <= ordinaryColumnNames.shared.length &&
      own.length <= ordinaryColumnNames.fields.length,
  };
}

/** The first cells of an attempt say where it went; the others, how it ended. */
const placeCells = 4;

/** The fields that rows share, without the parts of other fields. */
export interface SharedFields {
  readonly parts: Parts;
  readonly fields: Partial<RequestLogRow>;
}

export function unpackShared(cells: readonly unknown[], columns: Columns): SharedFields {
  const { costLineKinds, attemptPlaces, ...fields } = fieldsOf(cells, columns, {});
  const parts = { costLineKinds, attemptPlaces } as Parts; // packCells wrote them
  return { parts, fields };
}

export function unpackRow(
  cells: readonly unknown[],
  columns: Columns,
  { parts, fields }: SharedFields,
): RequestLogRow {
  return { ...fieldsOf(cells, columns, parts), ...fields } as RequestLogRow; // packCells wrote it from one
}

function fieldsOf(
  cells: readonly unknown[],
  columns: Columns,
  parts: Parts,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (let at = 0; at < cells.length; at++) {
    const [cell, column] = [cells[at], columns[at]];
    if (cell !== null && column) fields[column.name] = column.unpack(cell as never, parts); // packCells wrote it
  }
  return fields;
}

function lineKind({ bucket, tier, part }: CostLine): LineKind {
  if (part !== undefined) return [bucket, tier ?? null, part];
  return tier === undefined ? [bucket] : [bucket, tier];
}

function lineAmount({ quantity, nanoUsd, savedNanoUsd }: CostLine): LineAmount {
  const amount = packAmount(nanoUsd);
  return savedNanoUsd === undefined
    ? [quantity, amount]
    : [quantity, amount, packAmount(savedNanoUsd)];
}

function unpackCostLines(
  amounts: readonly LineAmount[],
  { costLineKinds = [] }: Parts,
): CostLine[] {
  return costLineKinds.map(([bucket, tier, part], at) => {
    const [quantity, nanoUsd, savedNanoUsd] = amounts[at];
    return {
      bucket,
      quantity,
      nanoUsd: BigInt(nanoUsd),
      ...(savedNanoUsd !== undefined && { savedNanoUsd: BigInt(savedNanoUsd) }),
      ...(tier && { tier }),
      ...(part && { part }),
    };
  });
}

function unpackAttemptCells(packed: readonly PackedAttempt[], { attemptPlaces = [] }: Parts) {
  return unpackAttempts(attemptPlaces.map((place, at) => [...place, ...packed[at]]));
}

function packAmount(nanoUsd: bigint): Amount {
  const amount = Number(nanoUsd);
  return Number.isSafeInteger(amount) ? amount : String(nanoUsd);
}

/** An amount that the upstream stated, as `=123`. */
function packUpstreamCost({ nanoUsd, isStated }: OperatorCost): Amount {
  return isStated ? `=${nanoUsd}` : packAmount(nanoUsd);
}

function unpackUpstreamCost(cell: Amount): OperatorCost {
  return typeof cell === "string" && cell.startsWith("=")
    ? { nanoUsd: BigInt(cell.slice(1)), isStated: true }
    : { nanoUsd: BigInt(cell) };
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
