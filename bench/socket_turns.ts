import { WebSocket } from "ws";
import { sseText } from "../lib/http/stream/sse.ts";
import { withStoreFolder } from "../tests/e2e/money/place.ts";
import { serveLoopback } from "../tests/e2e/fake_upstream.ts";
import { testKey } from "../tests/e2e/gateway.ts";
import { startServer } from "../tests/e2e/server_process.ts";

/**
 * Tool turns of one agent with `store: false`, on a WebSocket and as POSTs that repeat the whole
 * input: wall time, and bytes that the client sends. The upstream is silent for 50 ms, then calls a
 * tool. `deno run -A --config tests/deno.json bench/socket_turns.ts`.
 */

const turns = 30;
const rounds = 5;
const upstreamMs = 50;
const prompt = "You are careful. ".repeat(1_000);
const output = "a line of a file\n".repeat(120);
const tools = [{ type: "function", name: "read", parameters: { type: "object", properties: {} } }];

type Item = Record<string, unknown>;
/** One turn: sends what is new, and returns the call of the answer. */
type Turn = (news: readonly Item[]) => Promise<Item>;

interface Client {
  readonly turn: Turn;
  readonly sentBytes: () => number;
  readonly close: () => void;
}

function upstreamAnswer(count: number): string {
  const id = `resp_${count}`;
  const call = {
    type: "function_call",
    id: `fc_${count}`,
    call_id: `call_${count}`,
    name: "read",
    arguments: "{}",
    status: "completed",
  };
  const head = { id, object: "response", created_at: 1, model: "m" };
  const usage = { input_tokens: 9, output_tokens: 9, total_tokens: 18 };
  return [
    { type: "response.created", response: { ...head, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item: call },
    { type: "response.output_item.done", output_index: 0, item: call },
    {
      type: "response.completed",
      response: { ...head, status: "completed", output: [call], usage },
    },
  ].map((event, at) =>
    sseText({ event: event.type, data: JSON.stringify({ ...event, sequence_number: at }) })
  ).join("");
}

const headers = { authorization: `Bearer ${testKey}`, "content-type": "application/json" };

function overHttp(base: string): Client {
  const input: Item[] = [];
  let bytes = 0;
  return {
    turn: async (news) => {
      input.push(...news);
      const body = JSON.stringify({ model: "m", input, tools, store: false, stream: true });
      bytes += body.length;
      const response = await fetch(`${base}/v1/responses`, { method: "POST", headers, body });
      const call = callIn((await response.text()).split("\n\n").at(-2)?.split("data: ")[1] ?? "");
      input.push(call.item);
      return call.item;
    },
    sentBytes: () => bytes,
    close: () => {},
  };
}

async function onSocket(base: string): Promise<Client> {
  const socket = new WebSocket(`${base.replace("http", "ws")}/v1/responses`, { headers });
  await new Promise((resolve) => socket.on("open", resolve));
  let answered: (end: string) => void;
  socket.on("message", (data: Uint8Array) => {
    const text = new TextDecoder().decode(data);
    if (text.includes('"type":"response.completed"')) answered(text);
  });
  let bytes = 0;
  let previous: string | undefined;
  return {
    turn: async (input) => {
      const previous_response_id = previous;
      const frame = { type: "response.create", model: "m", input, tools, store: false };
      const text = JSON.stringify({ ...frame, previous_response_id });
      bytes += text.length;
      const end = new Promise<string>((resolve) => answered = resolve);
      socket.send(text);
      const { id, item } = callIn(await end);
      previous = id;
      return item;
    },
    sentBytes: () => bytes,
    close: () => socket.close(),
  };
}

function callIn(event: string): { readonly id: string; readonly item: Item } {
  const { response: { id, output: [item] } } = JSON.parse(event);
  return { id, item };
}

async function run({ turn, sentBytes, close }: Client) {
  const startedAt = performance.now();
  let call = await turn([
    { type: "message", role: "developer", content: prompt },
    { type: "message", role: "user", content: "Read all files" },
  ]);
  for (let n = 0; n < turns; n++) {
    call = await turn([{ type: "function_call_output", call_id: call.call_id, output }]);
  }
  close();
  return { ms: performance.now() - startedAt, bytes: sentBytes() };
}

await withStoreFolder(async (folder) => {
  let count = 0;
  await using upstream = serveLoopback(async (request) => {
    await request.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, upstreamMs));
    const answer = upstreamAnswer(++count);
    return new Response(answer, { headers: { "content-type": "text/event-stream" } });
  });
  const config = {
    upstreams: [{
      id: "up",
      endpoints: { responses: upstream.base },
      models: ["m"],
      apiKeys: ["x"],
    }],
  };
  const server = await startServer(folder, { config });
  for (let round = 0; round <= rounds; round++) { // the first one warms up
    const socket = await run(await onSocket(server.base));
    const http = await run(overHttp(server.base));
    if (round === 0) continue;
    for (const [name, { ms, bytes }] of Object.entries({ socket, http })) {
      console.log(`${name.padEnd(6)} ${ms.toFixed(0)} ms, ${(bytes / 1024).toFixed(0)} KiB sent`);
    }
  }
  await server.stop();
});
