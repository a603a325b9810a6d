import { type FormatName, isJsonObject, type JsonObject } from "../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../lib/formats/wire.ts";
import { sseText } from "../../lib/http/stream/sse.ts";
import { chatVendor } from "./chat_completions/vendor.ts";
import { generateVendor } from "./generate_content/vendor.ts";
import { messagesVendor } from "./messages/vendor.ts";
import { proofsIn } from "./proof.ts";
import { responsesVendor } from "./responses/vendor.ts";
import { type Counts, countsOf, type Prompt, type Reply, reply } from "./small_model.ts";
import type { Asked, Refusal, Vendor } from "./vendor.ts";

/** A fake vendor for each format: refuses as the real one does, else answers by a small model. */
export const vendors: Readonly<Record<FormatName, Vendor>> = {
  "chat-completions": chatVendor,
  responses: responsesVendor,
  messages: messagesVendor,
  "generate-content": generateVendor,
};

/** The credential that every strict upstream requires in its own header. */
export const strictCredential = "strict-upstream-secret";

/** A received request and its outcome. */
export interface StrictSeen extends Asked {
  readonly refusals: readonly Refusal[];
  /** The vendor's own signatures that the request returned unaltered. */
  readonly proofs: readonly string[];
  /** The model's view of a request; absent if it was refused. */
  readonly prompt?: Prompt;
  /** The signatures in the answer. */
  readonly issued: readonly string[];
  /** The usage that the answer states. */
  readonly counts?: Counts;
}

export interface StrictUpstream extends AsyncDisposable {
  /** The base URL to configure. */
  readonly base: string;
  readonly seen: StrictSeen[];
  /** Resolves with the time of the first caller's disconnect. */
  readonly aborted: Promise<number>;
}

export interface StrictOptions {
  /** Called for each request as it arrives. */
  readonly onRequest?: (seen: StrictSeen) => void;
  /** The model behind the format; default: the small model. */
  readonly model?: Model;
}

/** A model's answer to a request, of which most see only the prompt. */
export type Model = (prompt: Prompt, voice: string, asked: Asked) => Reply;

/** The vendor's refusals of a request. */
export function refusalsOf(format: FormatName, asked: Asked): Refusal[] {
  return vendors[format].refusals(asked);
}

/** A strict upstream of one format on a free port of the loopback. */
export function startStrict(format: FormatName, options: StrictOptions = {}): StrictUpstream {
  const vendor = vendors[format];
  const seen: StrictSeen[] = [];
  const stop = new AbortController();
  const { promise: aborted, resolve } = Promise.withResolvers<number>();
  let answers = 0;
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    signal: stop.signal,
    onListen: () => {},
  }, async (request) => {
    request.signal.addEventListener("abort", () => resolve(performance.now()));
    const { response, entry } = await serve(request, format, {
      count: answers,
      model: options.model ?? reply,
    });
    if (entry) answers += 1;
    if (entry) seen.push(entry);
    if (entry) options.onRequest?.(entry);
    return response;
  });
  return {
    base: `http://127.0.0.1:${server.addr.port}${vendor.basePath}`,
    seen,
    aborted,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await server.finished;
    },
  };
}

interface Served {
  readonly response: Response;
  readonly entry?: StrictSeen;
}

interface Serving {
  readonly count: number;
  readonly model: Model;
}

async function serve(
  request: Request,
  format: FormatName,
  { count, model }: Serving,
): Promise<Served> {
  const vendor = vendors[format];
  const { pathname, search } = new URL(request.url);
  const refuse = (status: number, message: string) =>
    Response.json(vendor.error(status, message), { status });
  const path = pathname.slice(vendor.basePath.length) + search;
  const address = pathname.startsWith(vendor.basePath) ? vendor.address(path) : undefined;
  if (!address) return { response: refuse(404, `Unknown path ${pathname}`) };
  if (vendor.credential(request.headers) !== strictCredential) {
    return { response: refuse(401, "Invalid credential") };
  }
  const text = await request.text();
  const body = objectIn(text);
  if (!body) return { response: refuse(400, "The body is not a JSON object") };
  const asked = { path, headers: request.headers, body };
  const refusals = vendor.refusals(asked);
  if (refusals.length > 0) {
    const entry = { ...asked, refusals, proofs: [], issued: [] };
    return { response: refuse(400, refusals[0].message), entry };
  }
  const prompt = vendor.prompt(asked);
  const said = model(prompt, format, asked);
  const { writes, caches = () => true } = vendor.counting;
  const counts = countsOf(said, text.length, { writes, caches: caches(asked) });
  const answering = {
    id: `${count + 1}`,
    model: address.model ?? String(body.model),
    counts,
    asked,
  };
  const entry = {
    ...asked,
    refusals,
    prompt,
    proofs: vendor.proofs(asked),
    issued: proofsIn(vendor.whole(said, answering)),
    counts,
  };
  const stream = address.stream ?? body.stream === true;
  return { response: respond(said, vendor, answering, stream), entry };
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function respond(
  said: Reply,
  vendor: Vendor,
  answering: Parameters<Vendor["whole"]>[1],
  stream: boolean,
): Response {
  if (said.fail !== undefined) {
    const error = vendor.error(said.fail, `Failed with ${said.fail} as asked`);
    return Response.json(error, { status: said.fail });
  }
  if (!stream) return Response.json(vendor.whole(said, answering));
  const events = vendor.stream(said, answering);
  const half = events.slice(0, Math.ceil(events.length / 2));
  const body = said.hangs ? silentAfter(half) : said.breaks ? brokenAfter(half) : bodyOf(events);
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function bodyOf(events: readonly ServerSentEvent[]): ReadableStream<Uint8Array> {
  const waiting = events.map((event) => new TextEncoder().encode(sseText(event)));
  return new ReadableStream({
    pull: (controller) => {
      const next = waiting.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
  });
}

/** Sends its events and then resets the connection. */
function brokenAfter(events: readonly ServerSentEvent[]): ReadableStream<Uint8Array> {
  const waiting = [new TextEncoder().encode(events.map(sseText).join(""))];
  return new ReadableStream({
    pull: (controller) => {
      const next = waiting.shift();
      if (next) controller.enqueue(next);
      else controller.error(new Error("broken as asked"));
    },
  }, { highWaterMark: 0 });
}

/** Sends its events and then stays open and silent. */
function silentAfter(events: readonly ServerSentEvent[]): ReadableStream<Uint8Array> {
  const text = new TextEncoder().encode(events.map(sseText).join(""));
  return new ReadableStream({ start: (controller) => controller.enqueue(text) });
}
