import {
  type CsvCell,
  csvLine,
  decimalUsd,
  totalInputTokens,
  totalOutputTokens,
} from "../canonical/mod.ts";
import { cacheSavingOf, type RequestLogRow, upstreamNanoUsdOf } from "../store/log/mod.ts";

export type ExportFormat = "csv" | "jsonl" | "spend";

/** The e-mail addresses of accounts by id, as far as they are known. */
type Emails = ReadonlyMap<string, string>;

/** The facts that the reader of an export may see beside the calls themselves. */
interface ExportReader {
  readonly emails?: Emails;
  /** True to add upstream costs and margins. */
  readonly isOperator?: boolean;
}

/**
 * Writes a stream of calls, newest first, as text, with constant memory.
 *
 * `csv` follows RFC 4180, with a header line. A text that a spreadsheet would read as a formula, or
 * that begins with an apostrophe, is prefixed with an apostrophe. `jsonl` has one JSON object per
 * line with the same names; unknown values are left out. `spend` is a CSV of totals by UTC day, key
 * and model.
 *
 * `input_tokens` and `output_tokens` are the whole prompt and the whole answer; the other counts of
 * tokens are parts of them. Money is an exact decimal text in dollars; times are ISO 8601 in UTC; durations are milliseconds.
 */
export async function* exportRequestLogs(
  calls: AsyncIterable<readonly RequestLogRow[]>,
  format: ExportFormat,
  { emails = new Map(), isOperator = false }: ExportReader = {},
): AsyncGenerator<string> {
  if (format === "spend") {
    yield* exportSpend(calls, emails, isOperator ? operatorSpendColumns : spendColumns);
    return;
  }
  const { head, line } = writers[format](isOperator ? operatorColumns : columns);
  yield head;
  for await (const rows of calls) yield rows.map((row) => line(row, emails)).join("");
}

interface Writer {
  readonly head: string;
  readonly line: (row: RequestLogRow, emails: Emails) => string;
}

type Holder = Pick<RequestLogRow, "accountId" | "keyId" | "keyName">;

const holderColumns = {
  account_id: ({ accountId }) => accountId,
  account_email: ({ accountId }, emails) => emails.get(accountId),
  key_id: ({ keyId }) => keyId,
  key_name: ({ keyName }) => keyName,
} as const satisfies Record<string, (holder: Holder, emails: Emails) => CsvCell>;

/** The columns of a call in every format, by name. */
const columns = {
  request_id: ({ id }) => id,
  time: ({ atMs }) => new Date(atMs).toISOString(),
  ...holderColumns,
  group: ({ groupId }) => groupId,
  project: ({ projectId }) => projectId,
  model: ({ model }) => model,
  virtual_model: ({ chain }) => chain?.name,
  upstream: ({ upstreamId }) => upstreamId,
  upstream_model: ({ upstreamModel }) => upstreamModel,
  format: ({ format }) => format,
  upstream_format: ({ upstreamFormat }) => upstreamFormat,
  operation: ({ operation }) => operation,
  stream: ({ stream }) => stream,
  status: ({ status }) => status,
  outcome: ({ outcome }) => outcome,
  error_code: ({ errorCode }) => errorCode,
  tag: ({ tag, session }) => tag ?? session?.id,
  tags: ({ tags }) => tags?.join(","),
  socket: ({ socket }) => socket,
  replay_of: ({ replayOf }) => replayOf,
  refused_by: ({ refusedBy, refuser }) =>
    refusedBy?.name ?? (refuser && `${refuser.owner} ${refuser.id}`),
  usage_source: ({ usageSource }) => usageSource,
  service_tier: ({ usage }) => usage?.servedTier,
  region: ({ usage }) => usage?.servedRegion,
  input_tokens: ({ usage }) => usage && totalInputTokens(usage),
  cached_input_tokens: ({ usage }) => usage?.cacheReadTokens,
  cache_write_5m_tokens: ({ usage }) => usage?.cacheWrite5mTokens,
  cache_write_1h_tokens: ({ usage }) => usage?.cacheWrite1hTokens,
  cache_write_12h_tokens: ({ usage }) => usage?.cacheWrite12hTokens,
  audio_input_tokens: ({ usage }) => usage?.audioInputTokens,
  image_input_tokens: ({ usage }) => usage?.imageInputTokens,
  output_tokens: ({ usage }) => usage && totalOutputTokens(usage),
  reasoning_tokens: ({ usage }) => usage?.reasoningTokens,
  audio_output_tokens: ({ usage }) => usage?.audioOutputTokens,
  image_output_tokens: ({ usage }) => usage?.imageOutputTokens,
  cost_usd: ({ costNanoUsd }) => usdOf(costNanoUsd),
  cache_saving_usd: (row) => usdOf(cacheSavingOf(row) || undefined),
  cache_miss: ({ cacheMiss }) => cacheMiss,
  uncovered_usd: ({ uncoveredNanoUsd }) => usdOf(uncoveredNanoUsd),
  first_byte_ms: ({ firstByteMs }) => firstByteMs,
  duration_ms: ({ durationMs }) => durationMs,
  ip: ({ ip }) => ip,
  user_agent: ({ userAgent }) => userAgent,
} as const satisfies Record<string, (row: RequestLogRow, emails: Emails) => CsvCell>;

const operatorColumns = {
  ...columns,
  upstream_cost_usd: (row) => isPriced(row) ? decimalUsd(upstreamNanoUsdOf(row)) : undefined,
  upstream_cost_stated: ({ upstreamCost }) => upstreamCost?.isStated,
  margin_usd: (row) =>
    isPriced(row) ? decimalUsd((row.costNanoUsd ?? 0n) - upstreamNanoUsdOf(row)) : undefined,
} as const satisfies Columns;

function isPriced({ costNanoUsd, upstreamCost }: RequestLogRow): boolean {
  return costNanoUsd !== undefined || upstreamCost !== undefined;
}

type Columns = Readonly<Record<string, (row: RequestLogRow, emails: Emails) => CsvCell>>;

const writers: Readonly<Record<"csv" | "jsonl", (columns: Columns) => Writer>> = {
  csv: (columns) => {
    const cells = Object.values(columns);
    return {
      head: csvLine([...Object.keys(columns), "hosted_tool_calls", "cost_lines", "notes"]),
      line: (row, emails) =>
        csvLine([...cells.map((cell) => cell(row, emails)), ...listsOf(row).map(listText)]),
    };
  },
  jsonl: (columns) => {
    const cells = Object.entries(columns);
    return {
      head: "",
      line: (row, emails) => {
        const [hosted_tool_calls, cost_lines, notes] = listsOf(row);
        const known = Object.fromEntries(cells.map(([name, cell]) => [name, cell(row, emails)]));
        return `${JSON.stringify({ ...known, hosted_tool_calls, cost_lines, notes })}\n`;
      },
    };
  },
};

const spendColumns = {
  day_utc: ({ day }) => day,
  ...holderColumns,
  model: ({ model }) => model,
  calls: ({ calls }) => calls,
  input_tokens: ({ inputTokens }) => inputTokens,
  output_tokens: ({ outputTokens }) => outputTokens,
  cost_usd: ({ costNanoUsd }) => usdOf(costNanoUsd),
} as const satisfies SpendColumns;

const operatorSpendColumns = {
  ...spendColumns,
  upstream_cost_usd: ({ upstreamNanoUsd }) => decimalUsd(upstreamNanoUsd),
  margin_usd: ({ costNanoUsd, upstreamNanoUsd }) => decimalUsd(costNanoUsd - upstreamNanoUsd),
} as const satisfies SpendColumns;

type SpendColumns = Readonly<Record<string, (spend: SpendOfDay, emails: Emails) => CsvCell>>;

async function* exportSpend(
  calls: AsyncIterable<readonly RequestLogRow[]>,
  emails: Emails,
  columns: SpendColumns,
): AsyncGenerator<string> {
  const cells = Object.values(columns);
  yield csvLine(Object.keys(columns));
  for await (const spends of spendByDay(calls)) {
    yield spends.map((spend) => csvLine(cells.map((cell) => cell(spend, emails)))).join("");
  }
}

/** The list columns: hosted tool calls, cost lines, conversion notes. */
function listsOf({ usage, costLines, notes }: RequestLogRow): (object | undefined)[] {
  const hosted = usage && Object.keys(usage.hostedToolCalls).length > 0;
  return [
    hosted ? usage.hostedToolCalls : undefined,
    costLines?.map(({ nanoUsd, savedNanoUsd, ...line }) => ({
      ...line,
      usd: decimalUsd(nanoUsd),
      ...(savedNanoUsd !== undefined && { saved_usd: decimalUsd(savedNanoUsd) }),
    })),
    notes,
  ];
}

function listText(list: object | undefined): string | undefined {
  return list === undefined ? undefined : JSON.stringify(list);
}

function usdOf(nanoUsd: bigint | undefined): string | undefined {
  return nanoUsd === undefined ? undefined : decimalUsd(nanoUsd);
}

/** The totals of one key's calls to one model on one day. */
interface SpendOfDay {
  /** A UTC day, such as `2026-11-21`. */
  readonly day: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costNanoUsd: bigint;
  readonly upstreamNanoUsd: bigint;
}

/**
 * The totals of calls, which come newest first, by day, key and model: newest day first, highest
 * cost first within a day. Holds only one day in memory at a time.
 */
async function* spendByDay(
  calls: AsyncIterable<readonly RequestLogRow[]>,
): AsyncGenerator<readonly SpendOfDay[]> {
  let day = "";
  let sums = new Map<string, SpendOfDay>();
  for await (const rows of calls) {
    for (const row of rows) {
      const own = new Date(row.atMs).toISOString().slice(0, 10);
      if (own !== day && sums.size > 0) {
        yield dearestFirst(sums);
        sums = new Map();
      }
      day = own;
      add(sums, row, day);
    }
  }
  if (sums.size > 0) yield dearestFirst(sums);
}

function add(sums: Map<string, SpendOfDay>, row: RequestLogRow, day: string): void {
  const { accountId, keyId, keyName, model, usage, costNanoUsd = 0n } = row;
  const name = `${accountId}\0${keyId}\0${model}`;
  const known = sums.get(name) ??
    { day, accountId, keyId, keyName, model, ...nothing };
  sums.set(name, {
    ...known,
    calls: known.calls + 1,
    inputTokens: known.inputTokens + (usage ? totalInputTokens(usage) : 0),
    outputTokens: known.outputTokens + (usage ? totalOutputTokens(usage) : 0),
    costNanoUsd: known.costNanoUsd + costNanoUsd,
    upstreamNanoUsd: known.upstreamNanoUsd + upstreamNanoUsdOf(row),
  });
}

const nothing = { calls: 0, inputTokens: 0, outputTokens: 0, costNanoUsd: 0n, upstreamNanoUsd: 0n };

function dearestFirst(sums: ReadonlyMap<string, SpendOfDay>): SpendOfDay[] {
  return [...sums.values()].sort((a, b) =>
    a.costNanoUsd === b.costNanoUsd
      ? a.calls === b.calls ? 0 : b.calls - a.calls
      : a.costNanoUsd < b.costNanoUsd
      ? 1
      : -1
  );
}
