import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { limitsSchema } from "../../lib/config/limits.ts";
import { RawClient } from "../raw_client.ts";
import { later, until } from "../waiting.ts";
import { get, withServer } from "./raw_server.ts";

for (const [place, isOnDeploy] of [["a machine", false], ["Deno Deploy", true]] as const) {
  Deno.test(`server on ${place}: the handler sees the caller's address, and one that throws is answered for`, () =>
    withServer(({ url }, { remoteAddr }) => {
      if (url.endsWith("/throw")) throw "a fault";
      return Response.json(remoteAddr);
    }, async ({ addr }) => {
      const base = `http://127.0.0.1:${addr.port}`;
      const { hostname, transport } = await (await fetch(base)).json();
      assertEquals([hostname, transport], ["127.0.0.1", "tcp"]);
      const failed = await fetch(`${base}/throw`);
      assertEquals([failed.status, await failed.text()], [500, "failed: a fault"]);
    }, { isOnDeploy }));
}

Deno.test("server: a runtime without a server for connections serves by Deno.serve", async () => {
  const outcome = await new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      `delete Deno.internal;\n${program}
      const again = serveHttp(options, () => new Response("by Deno.serve"));
      const { port } = again.addr;
      console.log(await (await fetch(\`http://127.0.0.1:\${port}\`)).text());
      Deno.exit();`,
    ],
  }).output();
  assertStringIncludes(new TextDecoder().decode(outcome.stdout), "by Deno.serve");
});

Deno.test("server: a shutdown lets answers in flight end, closes idle connections, and accepts no more", async () => {
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await withServer(async ({ url }) => {
    if (!url.endsWith("/slow")) return new Response("quick");
    asked();
    await isReleased;
    return new Response("slow");
  }, async (server) => {
    using idle = await RawClient.to(server.addr);
    await idle.write(get);
    await idle.readUntil("quick");
    using slow = await RawClient.to(server.addr);
    await slow.write(get.replace("/", "/slow"));
    await isAsked;
    let isStopped = false;
    const stop = server.shutdown().then(() => isStopped = true);
    assert(await idle.isClosedByServer(1_000));
    assertEquals(isStopped, false);
    release();
    assertStringIncludes(await slow.readAll(), "slow");
    await stop;
    assert(await isRefused(server.addr));
  });
});

async function isRefused({ hostname, port }: Deno.NetAddr): Promise<boolean> {
  const connection = await Deno.connect({ hostname, port }).catch(() => undefined);
  connection?.close();
  return connection === undefined;
}

Deno.test("server: clients that break off or send no HTTP disturb no others", () => {
  let brokenOff = 0;
  return withServer(async (request) => {
    await request.bytes().catch(() => brokenOff++);
    return new Response("fine");
  }, async ({ addr }) => {
    for (let client = 0; client < 20; client++) {
      const unfinished = await RawClient.to(addr);
      await unfinished.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\npart");
      const confused = await RawClient.to(addr);
      await confused.write("\0\x01 this is no HTTP\r\n\r\n");
      assertStringIncludes(await confused.readAll(), "400 Bad Request");
      unfinished.reset();
    }
    using client = await RawClient.to(addr);
    await client.write(get);
    await client.readUntil("fine");
    await until(() => brokenOff === 20, "not every disconnect was noticed");
  });
});

Deno.test("server: clients that reset before they are accepted delay no others", () =>
  withServer(() => new Response("fine"), async ({ addr }) => {
    const resets = `for (let client = 0; client < 50; client++) {
      connect(${addr.port}, "127.0.0.1", function () { this.resetAndDestroy(); });
    }`;
    await using process = new Deno.Command(Deno.execPath(), {
      args: ["eval", `import { connect } from "node:net"; ${resets}`],
    }).spawn();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000); // accepts nothing meanwhile
    const startedAt = performance.now();
    using client = await RawClient.to(addr);
    await client.write(get);
    await client.readUntil("fine");
    const waitedMs = performance.now() - startedAt;
    assert(waitedMs < 1_000, `${waitedMs}`);
    await process.status;
  }));

Deno.test("server: a shutdown waits for handlers whose callers have gone", async () => {
  let ended = 0;
  await withServer(async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    ended++;
    return new Response();
  }, async (server) => {
    for (let client = 0; client < 10; client++) {
      const gone = await RawClient.to(server.addr);
      await gone.write(get);
      setTimeout(() => gone.reset(), 50);
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
    await server.shutdown();
    assertEquals(ended, 10);
  });
});

for (const [name, body] of [["whole", () => "fine"], ["streamed", slowly]] as const) {
  const half = async (addr: Deno.NetAddr, request: string) => {
    using connection = await Deno.connect({ hostname: addr.hostname, port: addr.port });
    await connection.write(new TextEncoder().encode(request));
    await connection.closeWrite();
    return await new Response(connection.readable).text();
  };
  // `docs/maintainers/asvs.md` says why; a runtime that answers makes it obsolete.
  Deno.test(`server: a half-closed connection gets a ${name} answer only if a byte is behind the request`, () =>
    withServer(() => new Response(body()), async ({ addr }) => {
      assertEquals(await half(addr, get), "");
      assertStringIncludes(await half(addr, `${get}\r\n`), "fine");
    }));
}

function slowly(): ReadableStream<Uint8Array> {
  return ReadableStream.from(async function* () {
    await later(50);
    yield new TextEncoder().encode("fine");
  }());
}

/** A server with few file descriptors, which prints its port. */
const program = `
import { serveHttp } from ${JSON.stringify(new URL("../../lib/http/server.ts", import.meta.url))};
const options = {
  hostname: "127.0.0.1", port: 0, onError: () => new Response(null, { status: 500 }),
  onAcceptFailure: ({ message }) => console.log(message), onRefusal() {},
  limits: ${JSON.stringify(limitsSchema.parse({}))},
  networks: { of: (address) => address, mayBeProxy: () => false },
};
console.log(serveHttp(options, () => new Response("here")).addr.port);
`;

Deno.test({
  name: "server: accepts again once file descriptors are free, and reports that they were not",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using process = new Deno.Command("sh", {
      args: ["-c", `ulimit -n 48; exec "${Deno.execPath()}" run -A -`],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const input = process.stdin.getWriter();
    await input.write(new TextEncoder().encode(program));
    await input.close();
    const printed = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const port = Number((await printed.read()).value);
    const address = { hostname: "127.0.0.1", port };
    const open = await Promise.all(Array.from({ length: 60 }, () => RawClient.to(address)));
    assertStringIncludes(`${(await printed.read()).value}`, "Too many open files");
    for (const client of open) client.close();
    using client = await RawClient.to(address);
    await client.write(get);
    await client.readUntil("here");
    await printed.cancel();
  },
});
