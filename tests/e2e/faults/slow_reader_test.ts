import { assert, assertEquals } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { testKey } from "../gateway.ts";
import { speeches } from "../interruptions/interrupted_wire.ts";
import { withStoreFolder } from "../money/place.ts";
import { startServer } from "../server_process.ts";
import { type Exchange, type FaultUpstream, startFaultUpstream } from "./fault_upstream.ts";
import { postTo } from "./faulty_gateway.ts";
import { metricsFor, type ProcessMetrics, warmUp } from "./gateway_metrics.ts";
import { properly, sse } from "./injections.ts";
import { judgeStream } from "./judged.ts";

/** Upstreams that say 200 MB as fast as they can, to callers that read a kilobyte each second. */

const saidMax = 200 * 1024 * 1024;
const heldMs = 5_000;
/** The most bytes buffered between an upstream and its caller, without the kernel's buffers. */
const growthMax = 2 * 1024 * 1024;
/** A collection may touch memory of the young generation for the first time (`--min-semi-space-size`). */
const youngBytes = 64 * 1024 * 1024;
const otherCallMaxMs = 2_000;

interface Reader {
  readonly from: FormatName;
  readonly caller: FormatName;
}

/** Each format passed through, and each converted. */
const readers: readonly Reader[] = formatNames.flatMap((from) => [
  { from, caller: from },
  { from, caller: from === "messages" ? "chat-completions" : "messages" },
]);

Deno.test("callers that read slowly: memory stays flat, the upstreams wait, and others are served", () =>
  withStoreFolder(async (folder) => {
    const said = readers.map(() => ({ bytes: 0, ended: Promise.withResolvers<void>() }));
    await using upstream = startFaultUpstream([
      ...readers.map((reader, at) => ({
        name: nameOf(reader),
        texts: ["x".repeat(64 * 1024)],
        inject: (one: Exchange) => hose(one, said[at]),
      })),
      { name: "healthy", inject: properly },
    ]);
    const server = await startServer(folder, { config: configFor(upstream) });
    await warmUp(server.base, () => callAnother(server.base));
    const before = await metricsFor(server.base, 500);
    const connections = await Promise.all(readers.map((reader) => openSlowly(server.base, reader)));
    const reading = connections.map(readSlowly);
    const during = metricsFor(server.base, heldMs);
    const tookMs = await callAnother(server.base);
    const seen = await during;
    for (const connection of connections) connection.close();
    await Promise.all([...reading, ...said.map(({ ended }) => ended.promise)]);
    assertEquals(await server.stop(), 0);
    const growth = {
      heap: least(seen, "heapBytes") - least(before, "heapBytes"),
      resident: least(seen, "residentBytes") - least(before, "residentBytes"),
    };
    readers.forEach((reader, at) => console.log(nameOf(reader), "said", mebibytes(said[at].bytes)));
    console.log(`all: heap +${mebibytes(growth.heap)}, resident +${mebibytes(growth.resident)}`);
    for (const { bytes } of said) {
      assert(bytes < saidMax / 4, `an upstream could say ${bytes} bytes`);
    }
    assert(growth.heap < growthMax * readers.length, `the heap grew by ${growth.heap} bytes`);
    const residentMax = growthMax * readers.length + youngBytes;
    assert(growth.resident < residentMax, `it grew by ${growth.resident} bytes`);
    assert(tookMs < otherCallMaxMs, `another call took ${tookMs} ms`);
  }));

const nameOf = ({ from, caller }: Reader) => `${from}-for-${caller}`;

function configFor(upstream: FaultUpstream) {
  return {
    upstreams: [
      ...readers.map((reader) => ({ name: nameOf(reader), from: reader.from })),
      { name: "healthy", from: "messages" as const },
    ].map(({ name, from }) => ({
      id: name,
      endpoints: { [from]: upstream.base(name, from) },
      models: [name],
    })),
  };
}

/** A call to an upstream with nothing wrong, and how long it takes. */
async function callAnother(base: string): Promise<number> {
  const startedAt = performance.now();
  const response = await postTo({ base }, "messages", { model: "healthy", stream: true });
  assertEquals(judgeStream("messages", await response.text()).type, "completes");
  return performance.now() - startedAt;
}

interface Said {
  bytes: number;
  readonly ended: PromiseWithResolvers<void>;
}

async function hose({ connection, answer }: Exchange, said: Said): Promise<void> {
  try {
    await connection.begin(sse);
    await connection.chunk(answer.opening);
    while (said.bytes < saidMax) {
      const text = answer.more();
      await connection.chunk(text);
      said.bytes += text.length;
    }
  } finally {
    said.ended.resolve();
  }
}

async function openSlowly(base: string, reader: Reader): Promise<Deno.TcpConn> {
  const { hostname, port, host } = new URL(base);
  const { path, request } = speeches[reader.caller];
  const model = nameOf(reader);
  const body = JSON.stringify({ ...Object(request("Tell me everything", true)), model });
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const head = [
    `POST ${path.replace("/m:", `/${model}:`)} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${testKey}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
  ];
  await connection.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${body}`));
  return connection;
}

async function readSlowly(connection: Deno.TcpConn): Promise<void> {
  const buffer = new Uint8Array(1024);
  try {
    while (await connection.read(buffer) !== null) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  } catch {
    // closed by the test
  }
}

function least(seen: readonly ProcessMetrics[], what: "heapBytes" | "residentBytes"): number {
  return Math.min(...seen.map((one) => one[what]));
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
