import { assert, assertEquals } from "@std/assert";
import { testKey } from "../gateway.ts";
import { withStoreFolder } from "../money/place.ts";
import { startServer } from "../server_process.ts";
import { frame, type RawSocket, rawSocket } from "../sockets/raw_socket.ts";
import { metricsFor } from "./gateway_metrics.ts";

/** Hostile WebSockets at a gateway of its own process, while others call it. */

const framesMax = 10_000;
const idleSockets = 1_000;
const otherCallMaxMs = 2_000;
/**
 * Growth that is no leak: 190 MiB are the runtime's buffers of a thousand idle sockets, 110 MiB the
 * young generation, code, and the last messages.
 */
const growthMax = 420 * 1024 * 1024;

const text = new TextEncoder();
const random = (max: number) => Math.floor(Math.random() * max);
const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const create = (more: Record<string, unknown>) =>
  JSON.stringify({ type: "response.create", model: "tessera-echo", input: "hi", ...more });

/** Frames that a socket answers with an error, or with an end of its own; never with silence of others. */
const attacks: readonly (() => Uint8Array)[] = [
  () => frame(randomBytes(random(200)), { opcode: random(16), isFinal: random(2) === 0 }),
  () => frame(randomBytes(random(200))), // wrong UTF-8
  () => randomBytes(random(300)),
  () => frame(text.encode(create({})).subarray(0, 20)),
  () => frame(text.encode(create({ stream_id: `lane${random(1_000)}` }))),
  () => frame(text.encode(create({ previous_response_id: `resp_${random(100)}` }))),
  () => frame(text.encode(create({ input: [null, 7, {}], generate: random(2) === 0 }))),
  () => frame(text.encode(`${"[".repeat(5_000)}`)),
  () => frame(text.encode(create({ type: `response.${random(9)}` }))),
  () => frame(text.encode(JSON.stringify({ type: "response.steer", previous_response_id: "x" }))),
  () => frame(randomBytes(125), { opcode: 9 }), // a ping
  () => frame(new Uint8Array([3, 232, 255]), { opcode: 8 }), // a close with wrong UTF-8
  () => frame(new Uint8Array(10), { declared: 2 ** 40 }),
  () => frame(new Uint8Array(10), { declared: 30 * 1024 * 1024 }), // the rest never comes
];

async function otherCall(base: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${base}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "tessera-echo", input: "hi", stream: false }),
  });
  assertEquals(response.status, 200, await response.text());
  return performance.now() - startedAt;
}

async function residentBytes(base: string): Promise<number> {
  return Math.min(...(await metricsFor(base, 500)).map((one) => one.residentBytes));
}

Deno.test(`sockets: ${framesMax} hostile frames, ${idleSockets} idle sockets and endless messages: others are served, memory stays bounded`, () =>
  withStoreFolder(async (folder) => {
    const server = await startServer(folder, { config: {} });
    const { base } = server;
    for (let n = 0; n < 50; n++) await otherCall(base);
    using warm = await rawSocket(base, testKey);
    await warm.text(create({}));
    const before = await residentBytes(base);
    const idle = await Promise.all(
      Array.from(
        { length: idleSockets - 10 },
        () => rawSocket(base, testKey).catch(() => undefined),
      ),
    );
    const open = idle.filter((one) => one !== undefined);
    assert(open.length > idleSockets / 4, `${open.length} sockets could be opened`);
    let slowestMs = await otherCall(base);
    let sent = 0;
    const attackers = Array.from({ length: 8 }, async () => {
      let socket: RawSocket | undefined;
      while (sent++ < framesMax) {
        socket ??= await rawSocket(base, testKey).catch(() => undefined);
        const isTaken = await socket?.write(attacks[random(attacks.length)]());
        if (isTaken && random(50) > 0) continue;
        socket?.[Symbol.dispose]();
        socket = undefined;
      }
    });
    const over = Promise.all(attackers).then(() => true);
    for (let isOver = false; !isOver;) {
      slowestMs = Math.max(slowestMs, await otherCall(base));
      isOver = await Promise.race([over, new Promise<false>((go) => setTimeout(go, 50, false))]);
    }
    const codes = await Promise.all([endless(base), endless(base)]);
    slowestMs = Math.max(slowestMs, await otherCall(base));
    const growth = await residentBytes(base) - before;
    for (const one of open) one[Symbol.dispose]();
    console.log(
      `${open.length} idle sockets, ${framesMax} frames: slowest other call ${
        Math.round(slowestMs)
      } ms, ` +
        `resident +${Math.round(growth / 1024 / 1024)} MiB, endless messages closed with ${codes}`,
    );
    assertEquals(codes, [1009, 1009]);
    assert(slowestMs < otherCallMaxMs, `another call took ${slowestMs} ms`);
    assert(growth < growthMax, `it grew by ${growth} bytes`);
    assert(!server.said().includes("internal_error"), server.said().slice(0, 2_000));
    assertEquals(await server.stop(), 0);
  }));

/** A socket as soon as the key may have another one: the gateway notices later that others ended. */
async function freeSocket(base: string): Promise<RawSocket> {
  for (let tries = 0; tries < 50; tries++) {
    const socket = await rawSocket(base, testKey).catch(() => undefined);
    if (socket) return socket;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return await rawSocket(base, testKey);
}

/** A message of fragments that never ends; the code with which it is ended. */
async function endless(base: string): Promise<number> {
  using socket = await freeSocket(base);
  const code = socket.closeCode();
  const part = new Uint8Array(1024 * 1024).fill(65);
  await socket.write(frame(part, { isFinal: false }));
  for (let n = 0; n < 400; n++) {
    if (!await socket.write(frame(part, { opcode: 0, isFinal: false }))) break;
  }
  return await code;
}

Deno.test("sockets: where files are scarce, idle sockets make room for others", () =>
  withStoreFolder(async (folder) => {
    const server = await startServer(folder, { config: {}, openFilesMax: 512 });
    const { base } = server;
    const open: RawSocket[] = [];
    for (let n = 0; n < 300; n++) open.push(await rawSocket(base, testKey));
    let slowestMs = 0;
    for (let n = 0; n < 20; n++) slowestMs = Math.max(slowestMs, await otherCall(base));
    assertEquals(await open[0].closeCode(), 1001);
    assert(slowestMs < otherCallMaxMs, `another call took ${slowestMs} ms`);
    for (const one of open) one[Symbol.dispose]();
    assertEquals(await server.stop(), 0);
  }));
