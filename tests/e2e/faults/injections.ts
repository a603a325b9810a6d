import { type ErrorCode, GatewayError } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import type { SentEvents } from "../../../lib/formats/wire.ts";
import { SseReader, sseText } from "../../../lib/http/stream/sse.ts";
import type { Exchange, Inject } from "./fault_upstream.ts";

/** The building blocks of faults. */

/** Content types as they should be. */
export const sse = "text/event-stream";
export const json = "application/json";
const pauseMs = 40;
/** So seldom that no bound on the number of headers is met in time. */
const headerMs = 20;

/** Long enough for what was sent to arrive. */
export function pause(ms = pauseMs): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The answer up to its middle: a part of its content where it is streamed, half of its text where it is whole. */
export async function sayHalf({ connection, streamed, answer }: Exchange): Promise<void> {
  await connection.begin(streamed ? sse : json);
  const { whole, opening, deltas } = answer;
  if (!streamed) return await connection.chunk(whole.slice(0, whole.length / 2));
  await connection.chunk(opening);
  for (const delta of deltas.slice(0, 2)) await connection.chunk(delta);
  await pause(); // so that it is read before what follows
}

/** The framing and content type of an answer. */
interface Manner {
  readonly framed: "sse" | "json";
  readonly type: string;
}

export function properManner({ streamed }: Exchange): Manner {
  return streamed ? { framed: "sse", type: sse } : { framed: "json", type: json };
}

/** All of the answer, but for the end of a body in chunks. */
export async function sayAll(exchange: Exchange, { framed, type } = properManner(exchange)) {
  const { connection, answer } = exchange;
  if (framed === "json") return await connection.whole(200, type, answer.whole);
  await connection.begin(type);
  for (const text of [answer.opening, ...answer.deltas, answer.closing]) {
    await connection.chunk(text);
  }
}

/** All of a streamed answer but the mark of its end; one that is whole has none. */
export async function sayUnmarked(exchange: Exchange): Promise<void> {
  const { connection, streamed, answer } = exchange;
  if (!streamed) return await sayAll(exchange);
  await connection.begin(sse);
  await connection.chunk([answer.opening, ...answer.deltas, answer.unmarked].join(""));
  await pause();
}

/** All of a streamed answer, then more of it and its end once more. */
export async function sayMore(exchange: Exchange): Promise<void> {
  await sayAll(exchange);
  const { connection, streamed, answer } = exchange;
  if (!streamed) return;
  await connection.chunk(answer.more());
  await connection.chunk(answer.closing);
  await connection.end();
}

export async function answerIn(exchange: Exchange, manner: Manner): Promise<void> {
  await sayAll(exchange, manner);
  if (manner.framed === "sse") await exchange.connection.end();
}

/** An upstream with nothing wrong. */
export const properly: Inject = (exchange) => answerIn(exchange, properManner(exchange));

export function refusing(
  code: ErrorCode,
  status: number,
  headers: Readonly<Record<string, string>>,
) {
  return async ({ connection, format }: Exchange) => {
    const error = new GatewayError(code, "The fault upstream refuses this call");
    const body = JSON.stringify(codecs[format].encodeError(error, "req_upstream").body);
    const length = `${body.length}`;
    await connection.head(status, { "content-type": json, "content-length": length, ...headers });
    await connection.write(body);
  };
}

export function errorEvents({ format, answer }: Exchange, isBegun: boolean): string {
  const error = new GatewayError("upstream_error", "The fault upstream broke");
  const { opening, deltas } = answer;
  const sent = eventsIn([opening, ...(isBegun ? deltas.slice(0, 2) : [])].join(""));
  return codecs[format].encodeStreamError(error, "req_upstream", isBegun ? sent : undefined)
    .map(sseText).join("");
}

function eventsIn(text: string): SentEvents {
  const events = new SseReader().push(new TextEncoder().encode(text))
    .flatMap(({ event }) => event ?? []);
  return { first: events[0], last: events.at(-1), count: events.length };
}

export const hang: Inject = ({ connection }) => connection.left();

export async function drip({ connection, streamed, answer }: Exchange): Promise<void> {
  const { whole, opening, deltas, closing } = answer;
  const text = streamed ? [opening, ...deltas, closing].join("") : whole;
  await connection.begin(streamed ? sse : json);
  for (const [at, character] of [...text].entries()) {
    await connection.chunk(character);
    if (at % 100 === 0) await pause();
  }
  await connection.end();
}

/** Content without end: deltas, or blanks within a JSON text. */
export async function talkForEver(exchange: Exchange): Promise<void> {
  await sayHalf(exchange);
  const { connection, streamed, answer } = exchange;
  for (;; await pause()) await connection.chunk(streamed ? answer.more() : " ");
}

export async function flood({ connection, streamed }: Exchange): Promise<void> {
  await connection.begin(streamed ? sse : json);
  const much = "x".repeat(1024 * 1024);
  await connection.chunk(streamed ? 'data: {"' : '{"');
  for (;;) await connection.chunk(much);
}

export async function sayHalfJson(exchange: Exchange): Promise<void> {
  const { connection, streamed, answer: { whole, deltas } } = exchange;
  if (!streamed) return await connection.whole(200, json, whole.slice(0, whole.length / 2));
  await sayHalf(exchange);
  const [line] = deltas[2].split("\n\n");
  await connection.chunk(`${line.slice(0, -line.length / 3)}\n\n`);
  await connection.end();
}

export async function sayHeadersForEver({ connection }: Exchange): Promise<void> {
  await connection.write("HTTP/1.1 200 OK\r\n");
  for (let line = 0;; line++) {
    await connection.write(`x-line-${line}: a header\r\n`);
    await pause(headerMs);
  }
}

/** Bytes of every value, line ends and blank lines among them. */
export function garbage(length: number): Uint8Array {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 131 + (at >> 5) * 7) % 251);
  bytes.set([10, 10, 13, 10, 13, 10], length / 2);
  return bytes;
}
