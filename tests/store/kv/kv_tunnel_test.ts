import { assert, assertEquals, assertRejects } from "@std/assert";
import { KvTunnel } from "../../../lib/store/kv/kv_tunnel.ts";
import { denokvPath, startDenokv } from "../../e2e/money/denokv.ts";
import { later } from "../../waiting.ts";
import { withTempFolder } from "../temp_store.ts";

/** Without the tunnel, each of these operations takes at least 40 ms. */
const fastMs = 20;

function withTunnel(run: (kv: Deno.Kv, tunnel: KvTunnel) => Promise<void>) {
  return () =>
    withTempFolder(async (folder) => {
      await using server = await startDenokv(folder);
      const tunnel = new KvTunnel(server.location.url);
      const kv = await Deno.openKv(tunnel.url);
      await run(kv, tunnel);
      kv.close();
      tunnel.close();
    });
}

Deno.test({
  name: "commits and reads of any size pass a tunnel without a delayed acknowledgement",
  ignore: denokvPath === undefined,
  fn: withTunnel(async (kv) => {
    for (const size of [10, 1_200, 20_000, 60_000]) {
      const value = crypto.getRandomValues(new Uint8Array(size));
      const fastest = { set: Infinity, get: Infinity };
      for (let round = 0; round < 20; round++) {
        const startedAt = performance.now();
        await kv.set(["value"], value);
        const setAt = performance.now();
        assertEquals((await kv.get(["value"])).value, value);
        fastest.set = Math.min(fastest.set, setAt - startedAt);
        fastest.get = Math.min(fastest.get, performance.now() - setAt);
      }
      assert(fastest.set < fastMs, `${size} bytes: written in ${fastest.set} ms`);
      assert(fastest.get < fastMs, `${size} bytes: read in ${fastest.get} ms`);
    }
  }),
});

Deno.test({
  name: "many large values at once pass a tunnel unchanged",
  ignore: denokvPath === undefined,
  fn: withTunnel(async (kv) => {
    const values = Array.from(
      { length: 60 },
      () => crypto.getRandomValues(new Uint8Array(60_000)),
    );
    await Promise.all(values.map((value, at) => kv.set(["value", at], value)));
    const entries = await Promise.all(values.map((_, at) => kv.get(["value", at])));
    assertEquals(entries.map(({ value }) => value), values);
  }),
});

Deno.test({
  name: "a tunnel that has ended makes the client give up what it would repeat for ever",
  ignore: denokvPath === undefined,
  fn: withTunnel(async (kv, tunnel) => {
    await kv.get(["value"]); // connects
    const running = [kv.set(["value"], new Uint8Array(60_000)), kv.get(["value"])];
    tunnel.end();
    await Promise.allSettled(running); // some may have been answered
    await assertRejects(() => kv.set(["value"], 1), Error, "status=400");
  }),
});

Deno.test("a tunnel accepts again after the process ran out of file descriptors", async () => {
  using echo = startEcho();
  const { listen } = Deno;
  let failures = 0;
  Deno.listen = ((options: Deno.TcpListenOptions) => {
    const listener = listen(options);
    const { accept } = listener;
    return Object.assign(listener, {
      accept: async () => {
        if (failures === 2) return await accept.call(listener);
        failures++;
        throw new Error("Too many open files (os error 24)");
      },
    });
  }) as typeof Deno.listen; // sound: the tunnel listens on TCP
  const tunnel = new KvTunnel(echo.url);
  Deno.listen = listen;
  const socket = await connectTo(tunnel.url);
  await socket.write(new Uint8Array([1]));
  assertEquals(await socket.read(new Uint8Array(1)), 1);
  assertEquals(failures, 2);
  socket.close();
  tunnel.close();
  await later(20); // its connections end
});

Deno.test("a tunnel closes connections beyond those that a KV client needs", async () => {
  using echo = startEcho();
  const tunnel = new KvTunnel(echo.url);
  const sockets: Deno.TcpConn[] = [];
  let refused = 0;
  for (let count = 0; count < 100; count++) {
    const socket = await connectTo(tunnel.url);
    sockets.push(socket);
    const hasEcho = socket.write(new Uint8Array([1])).then(() => socket.read(new Uint8Array(1)));
    if (await hasEcho.catch(() => null) === null) refused++;
  }
  assertEquals(refused, 100 - 32);
  for (const socket of sockets) socket.close();
  tunnel.close();
  await later(20); // its connections end
});

function connectTo(url: string): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(url);
  return Deno.connect({ hostname, port: Number(port) });
}

/** A server that sends back what it reads. */
function startEcho() {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const echo = async (socket: Deno.TcpConn) => {
    await socket.readable.pipeTo(socket.writable);
  };
  (async () => {
    for await (const socket of listener) void echo(socket).catch(() => {});
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    [Symbol.dispose]: () => listener.close(),
  };
}
