import { assert, assertEquals } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { chatUsageChunk } from "../../formats/chat_chunk.ts";
import { textSoFar } from "../conversion/broken_body.ts";
import { startUpstream } from "../fake_upstream.ts";
import { testKey } from "../gateway.ts";
import { speeches } from "../interruptions/interrupted_wire.ts";
import { locationOf } from "../money/shared_store.ts";
import { type ServerProcess, startServer } from "../server_process.ts";

/** A gateway in a process of its own, on a store that a test takes away from under it. */

export const deltaText = "The fox jumps over the fence. ".repeat(40);
/** As agents send them: tools and history. */
export const promptBytes = 200_000;
const usage = { prompt_tokens: 40_000, completion_tokens: 320, total_tokens: 40_320 };
const root = new URL("../../..", import.meta.url).pathname;

/** Answers that begin at once and end when the test says. */
export interface GatedUpstream extends AsyncDisposable {
  readonly base: string;
  /** Requests that have arrived. */
  readonly asked: () => number;
  /** Resolves once so many requests have arrived. */
  arrived(count: number): Promise<void>;
  /** Lets all answers end, and those to come. */
  open(): void;
  /** Makes answers wait again. */
  shut(): void;
}

export function startGatedUpstream(): GatedUpstream {
  let gate = Promise.withResolvers<void>();
  let changed = Promise.withResolvers<void>();
  const upstream = startUpstream(({ body }) => {
    changed.resolve();
    changed = Promise.withResolvers();
    return JSON.parse(body).stream ? streamed(gate.promise) : whole(gate.promise);
  });
  return {
    base: upstream.base,
    asked: () => upstream.seen.length,
    arrived: async (count) => {
      while (upstream.seen.length < count) await changed.promise;
    },
    open: () => gate.resolve(),
    shut: () => gate = Promise.withResolvers(),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

function streamed(gate: Promise<void>): Response {
  const { opening, delta, closing } = speeches["chat-completions"];
  const text = new TextEncoder();
  const [stop, done] = closing;
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      controller.enqueue(text.encode(opening.join("") + delta(deltaText)));
      await gate;
      controller.enqueue(text.encode(stop + chatUsageChunk(usage) + done));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function whole(gate: Promise<void>): Promise<Response> {
  await gate;
  return Response.json({ ...Object(speeches["chat-completions"].whole(deltaText)), usage });
}

/** A gateway on a store at `path`, before the upstream; its key has a budget, its model a price. */
export async function startOnStore(
  path: string,
  upstream: { readonly base: string },
  limits: Readonly<Record<string, number>> = {},
  isolates?: number,
): Promise<ServerProcess> {
  const folder = await Deno.makeTempDir();
  return await startServer(folder, {
    isolates,
    env: { TESSERA_KV: path, TESSERA_SECRET: "a secret of this test" },
    config: {
      limits,
      keys: [{
        name: "test",
        group: "default",
        value: testKey,
        budget: { period: "day", usd: 1_000 },
      }],
      models: [{ id: "m", price: { input: 1, output: 2 } }],
      upstreams: [{ id: "up", endpoints: { "chat-completions": upstream.base }, models: ["m"] }],
    },
  });
}

/** The answer to a caller, and the milliseconds that it took. */
export interface Got {
  readonly status: number;
  readonly code: string | undefined;
  readonly type: string | undefined;
  readonly retryAfter: string | null;
  readonly id: string;
  readonly text: string;
  readonly ms: number;
}

export async function call(
  { base }: { readonly base: string },
  format: FormatName,
  stream: boolean,
  path = speeches[format][stream ? "path" : "wholePath"],
  { bytes = promptBytes, key = testKey }: { readonly bytes?: number; readonly key?: string } = {},
): Promise<Got> {
  const { request } = speeches[format];
  const startedAt = performance.now();
  const response = await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(request("x".repeat(bytes), stream)),
  });
  const text = await textSoFar(response);
  return {
    status: response.status,
    code: /"(?:code|reason)": ?"(\w+)"/.exec(text)?.[1],
    type: /"(?:type|status)": ?"(\w+_error|[A-Z_]+)"/.exec(text)?.[1],
    retryAfter: response.headers.get("retry-after"),
    id: response.headers.get("x-request-id") ?? "",
    text,
    ms: Math.round(performance.now() - startedAt),
  };
}

/** `/readyz` as an orchestrator sees it. */
export async function readiness({ base }: { readonly base: string }) {
  const response = await fetch(`${base}/readyz`);
  const text = await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    body: response.ok ? undefined : JSON.parse(text),
  };
}

/** Polls an address that changes by itself, as an orchestrator does; says how long it took. */
export async function untilReadiness(
  server: { readonly base: string },
  status: number,
  withinMs: number,
): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    if ((await readiness(server)).status === status) {
      return Math.round(performance.now() - startedAt);
    }
    assert(
      performance.now() - startedAt < withinMs,
      `/readyz is not ${status} after ${withinMs} ms`,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** New calls of every format, streamed and whole, at the same time: all are refused at once and none is sent. */
export async function assertRefused(
  server: ServerProcess,
  upstream: GatedUpstream,
): Promise<readonly Got[]> {
  const asked = upstream.asked();
  const got = await Promise.all(
    formatNames.flatMap((format) => [false, true].map((stream) => call(server, format, stream))),
  );
  const types = ["server_error", "overloaded_error", "UNAVAILABLE"];
  for (const { status, code, type, retryAfter, text } of got) {
    assertEquals([status, code ?? text, retryAfter], [503, "store_unavailable", "5"]);
    assert(type !== undefined && types.includes(type), `${type}: ${text}`);
  }
  assertEquals(upstream.asked(), asked, "nothing is sent");
  return got;
}

/** The rows of a store that nobody serves from. */
export async function rowsOf(place: string): Promise<ReadonlyMap<string, RequestLogRow>> {
  const store = await openStore({ location: locationOf(place), secret: "a secret of this test" });
  const { rows } = await listRequestLogs(store, { limit: 100 });
  store.close();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The exit of a program of ours. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `main.ts` or `tools/audit.ts` on a store, as `user` where one is named. */
export async function runOn(
  path: string,
  script: "main.ts" | "tools/audit.ts",
  user?: number,
): Promise<Ended> {
  const deno = [Deno.execPath(), "run", "-A", `${root}${script}`];
  const [program, ...args] = user === undefined
    ? deno
    : ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups", ...deno];
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd: root,
    env: { TESSERA_KV: path, TESSERA_SECRET: "a secret of this test", PORT: "0", NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** One line that names the file and what to do, and no stack trace. */
export function assertAdvice({ code, stderr }: Ended, path: string, words: RegExp): void {
  assertEquals(code, 1, stderr);
  const lines = stderr.trim().split("\n");
  assertEquals(lines.length, 1, stderr);
  assert(lines[0].includes(path), stderr);
  assert(words.test(lines[0]), stderr);
}

export function assertAudited({ code, stdout, stderr }: Ended): void {
  assertEquals([code, stderr], [0, ""], stdout);
  assert(stdout.includes(" 0 differences"), stdout);
}

/** A store of some megabytes, closed, so that all of it is in its file. */
export async function makeStore(path: string): Promise<void> {
  const store = await openStore({
    location: { type: "file", path },
    secret: "a secret of this test",
  });
  const value = "x".repeat(2_000);
  for (let at = 0; at < 1_500; at++) await store.kv.set(["row", at], value);
  store.close();
}
