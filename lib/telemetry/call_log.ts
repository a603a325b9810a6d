import { totalInputTokens, totalOutputTokens } from "../canonical/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import { logLine, reasonOf } from "./log.ts";

/** Writes all bytes; takes as long as their reader does. */
type Write = (bytes: Uint8Array) => Promise<void>;

/** The first line waits so long for others to be written with it. */
const collectMs = 100;
/** Calls that wait for a slow reader; further ones are dropped and counted. */
const callsMax = 10_000;
/** Lines are built in pieces, because each piece delays the answers in progress. */
const linesAtOnce = 200;
/** A reader that does not read delays the stop of the gateway by so much. */
const closeMs = 1_000;

/**
 * Writes a line of JSON for each ended call. Calls never wait for it: their rows are collected and
 * written together. Rows that still wait when the process is killed are lost.
 */
export class CallLog {
  readonly #rows: RequestLogRow[] = [];
  #dropped = 0;
  #writing?: Promise<void>;
  #isClosed = false;
  readonly #write: Write;

  constructor(write: Write = writeOut) {
    this.#write = write;
  }

  add(row: RequestLogRow): void {
    if (this.#isClosed) return;
    if (this.#rows.length < callsMax) this.#rows.push(row);
    else this.#dropped++;
    this.#writing ??= this.#writeAll();
  }

  /** Writes the rest, or gives up after a second. Later calls have no line. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeMs);
    await Promise.race([this.#writing, late]);
    clearTimeout(timer);
  }

  async #writeAll(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, collectMs));
    try {
      while (this.#rows.length > 0) await this.#write(this.#nextLines());
    } catch (thrown) {
      this.#isClosed = true;
      this.#rows.length = 0;
      logLine("warn", "The log of calls ends: nobody reads standard output", {
        reason: reasonOf(thrown),
      });
    }
    this.#writing = undefined;
  }

  #nextLines(): Uint8Array {
    const lines = this.#rows.splice(0, linesAtOnce).map(callLine);
    if (this.#dropped > 0) lines.push(JSON.stringify({ type: "dropped", calls: this.#dropped }));
    this.#dropped = 0;
    return new TextEncoder().encode(`${lines.join("\n")}\n`);
  }
}

async function writeOut(bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await Deno.stdout.write(rest));
}

/** A call as a line. Contains no prompt, no answer, no secret, and no address of the caller. */
function callLine(row: RequestLogRow): string {
  const { usage, costNanoUsd, attempts = [] } = row;
  return JSON.stringify({
    type: "call",
    at: new Date(row.atMs).toISOString(),
    id: row.id,
    accountId: row.accountId,
    groupId: row.groupId,
    keyId: row.keyId,
    keyName: row.keyName,
    operation: row.operation,
    format: row.format,
    model: row.model,
    upstream: row.upstreamId,
    upstreamFormat: row.upstreamFormat,
    upstreamModel: row.upstreamModel,
    stream: row.stream,
    status: row.status,
    outcome: row.outcome,
    errorCode: row.errorCode,
    tag: row.tag,
    session: row.session?.id,
    agent: row.session?.agent,
    requestClass: row.session?.requestClass,
    socket: row.socket,
    replayOf: row.replayOf,
    inputTokens: usage && totalInputTokens(usage),
    cacheReadTokens: usage?.cacheReadTokens,
    outputTokens: usage && totalOutputTokens(usage),
    costUsd: costNanoUsd === undefined ? undefined : Number(costNanoUsd) / 1e9,
    firstByteMs: row.firstByteMs,
    durationMs: row.durationMs,
    attempts: attempts.map(({ upstreamId, status, outcome, errorCode, durationMs }) => ({
      upstream: upstreamId,
      status,
      outcome,
      errorCode,
      durationMs,
    })),
  });
}
