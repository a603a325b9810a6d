import { cpuMicrosOf } from "../process_tree.ts";
import { quantile } from "../statistics.ts";
import { HttpReader, writeAll } from "./http_reader.ts";
import { takeOrders } from "./lines.ts";

/** Calls to make. All use one prepared request. */
export interface LoadOrder {
  readonly port: number;
  readonly request: string;
  /** Texts in the request that end in digits, which each call counts up to a bound. */
  readonly counters?: readonly { readonly text: string; readonly count: number }[];
  /** An answer without this text at its end counts as an error. */
  readonly ending: string;
  readonly connections: number;
  /** No call is due later; all that are due are made and read to their end. */
  readonly durationMs: number;
  readonly callsMax?: number;
  /** Calls per second at even intervals; undefined for as many as the server answers. */
  readonly rate?: number;
  /** The process whose CPU time is measured, with its descendants. */
  readonly pid: number;
}

/** Times are in milliseconds. */
export interface LoadResult {
  /** Calls with status 200 and the expected ending. */
  readonly calls: number;
  readonly errors: number;
  readonly firstError?: string;
  readonly durationMs: number;
  /** From the first call's start to the last answer's end, all threads. */
  readonly cpuMicros: number;
  /** Of the load generator itself. */
  readonly loadCpuMicros: number;
  /** To the first byte of the answer's body. */
  readonly firstByte: Times;
  readonly whole: Times;
}

export interface Times {
  readonly p50: number;
  readonly p99: number;
}

const errorsMax = 100;
/** The time for the last answers. Connections that are still open then are closed. */
const graceMs = 60_000;

class Load {
  readonly #order: LoadOrder;
  readonly #open = new Set<Deno.Conn>();
  readonly #firstByteMs: number[] = [];
  readonly #wholeMs: number[] = [];
  #errors = 0;
  #firstError: string | undefined;
  #startMs = 0;
  #started = 0;

  constructor(order: LoadOrder) {
    this.#order = order;
  }

  async run(): Promise<LoadResult> {
    const { connections, durationMs, pid } = this.#order;
    const callers = await Promise.all(Array.from({ length: connections }, () => this.#connect()));
    const timer = setTimeout(() => this.#closeAll(), durationMs + graceMs);
    const [cpuBefore, loadBefore] = [cpuMicrosOf(pid), cpuMicrosOf(Deno.pid)];
    this.#startMs = performance.now();
    await Promise.all(callers.map((caller) => this.#callInTurn(caller)));
    const endMs = performance.now();
    const [cpuAfter, loadAfter] = [cpuMicrosOf(pid), cpuMicrosOf(Deno.pid)];
    clearTimeout(timer);
    this.#closeAll();
    return {
      calls: this.#wholeMs.length,
      errors: this.#errors,
      ...this.#firstError !== undefined && { firstError: this.#firstError },
      durationMs: endMs - this.#startMs,
      cpuMicros: cpuAfter - cpuBefore,
      loadCpuMicros: loadAfter - loadBefore,
      firstByte: timesOf(this.#firstByteMs),
      whole: timesOf(this.#wholeMs),
    };
  }

  async #connect(): Promise<Caller> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: this.#order.port });
    connection.setNoDelay(true);
    this.#open.add(connection);
    return new Caller(connection, this.#order);
  }

  #closeAll(): void {
    for (const connection of this.#open) connection.close();
    this.#open.clear();
  }

  async #callInTurn(first: Caller): Promise<void> {
    let caller = first;
    for (let fromMs = await this.#turn(); fromMs !== undefined; fromMs = await this.#turn()) {
      try {
        const { firstByteMs, endMs } = await caller.call(this.#started);
        this.#firstByteMs.push(firstByteMs - fromMs);
        this.#wholeMs.push(endMs - fromMs);
      } catch (error) {
        this.#errors++;
        this.#firstError ??= String(error);
        caller = await this.#replace(caller);
      }
    }
  }

  /** Returns the time from which the next call counts; undefined if there is no further call. */
  async #turn(): Promise<number | undefined> {
    const { durationMs, callsMax = Infinity, rate } = this.#order;
    const nowMs = performance.now();
    const dueMs = rate === undefined ? nowMs : this.#startMs + this.#started * 1_000 / rate;
    const isOver = dueMs - this.#startMs >= durationMs;
    if (isOver || this.#started >= callsMax || this.#errors >= errorsMax) return undefined;
    this.#started++;
    if (dueMs <= nowMs) return dueMs; // a call that waited for a connection is late
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(dueMs - nowMs))); // timers drop fractions
    return performance.now(); // the timer is late, not the server
  }

  async #replace({ connection }: Caller): Promise<Caller> {
    if (this.#open.delete(connection)) connection.close();
    return await this.#connect();
  }
}

/** One connection with its own copy of the request. */
class Caller {
  readonly connection: Deno.Conn;
  readonly #reader: HttpReader;
  readonly #request: Uint8Array;
  readonly #ending: string;
  readonly #counters: readonly Counter[];

  constructor(connection: Deno.Conn, { request, ending, counters = [] }: LoadOrder) {
    this.connection = connection;
    this.#reader = new HttpReader(connection);
    this.#request = new TextEncoder().encode(request);
    this.#ending = ending;
    this.#counters = counters.map((counter) => counterIn(request, counter));
  }

  async call(number: number): Promise<{ readonly firstByteMs: number; readonly endMs: number }> {
    for (const { end, count } of this.#counters) writeDigits(this.#request, end, number % count);
    let firstByteMs = 0;
    await writeAll(this.connection, this.#request);
    const answer = await this.#reader.next(() => firstByteMs = performance.now());
    if (!answer) throw new Error("the connection ended before the answer");
    if (answer.head.slice(9, 12) !== "200" || !answer.ending.includes(this.#ending)) {
      throw new Error(`${answer.head.split("\r\n", 1)[0]}: ${answer.ending.slice(-300)}`);
    }
    return { firstByteMs, endMs: performance.now() };
  }
}

interface Counter {
  /** The index behind the last digit. */
  readonly end: number;
  readonly count: number;
}

function counterIn(request: string, { text, count }: { text: string; count: number }): Counter {
  const at = request.indexOf(text);
  if (at < 0) throw new Error(`The request has no ${text}`);
  return { end: at + text.length, count };
}

function writeDigits(bytes: Uint8Array, end: number, number: number): void {
  for (let at = end - 1, left = number; isDigit(bytes[at]); at--, left = Math.floor(left / 10)) {
    bytes[at] = 48 + left % 10;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}

function timesOf(values: readonly number[]): Times {
  const sorted = Float64Array.from(values).sort();
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

// Last, because the declarations above must have run.
if (import.meta.main) {
  console.log("ready");
  await takeOrders((order: LoadOrder) => new Load(order).run());
}
