import { assert, assertEquals, assertRejects } from "@std/assert";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { createSend, networkFaultOf, type Outbound } from "../../lib/upstreams/send.ts";
import { startUpstream } from "../e2e/fake_upstream.ts";
import { startRawPeer } from "./raw_peer.ts";
import { startRawServer } from "./raw_server.ts";

const timeouts = { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 10_000 };
const nobody = new AbortController().signal;
const loopback = { allowsPrivate: false, allowsLoopback: true };

function post(url: string, origin: Outbound["origin"] = "config"): Outbound {
  return { url, origin, headers: { "x-api-key": "k" }, body: "{}" };
}

/** The gateway's own error for a call that has no answer. */
async function failure(
  outbound: Outbound,
  options: Parameters<typeof createSend>[0] = { dialFirst: true },
  bounds = timeouts,
  caller = nobody,
): Promise<GatewayError> {
  const send = createSend(options);
  return await assertRejects(() => send(outbound, bounds, caller), GatewayError);
}

Deno.test("send: a GET has no body and no content type, a POST both", async () => {
  await using upstream = startUpstream(({ body, headers }) =>
    Response.json([body, headers.get("content-type"), headers.get("x-api-key")])
  );
  const send = createSend({ dialFirst: true });
  const { body: _, ...bare } = post(upstream.base);
  const get = await send({ ...bare, method: "GET" }, timeouts, nobody);
  assertEquals(await json(get), ["", null, "k"]);
  const posted = await send(post(upstream.base), timeouts, nobody);
  assertEquals(await json(posted), ["{}", "application/json", "k"]);
});

Deno.test("send: a redirect is handed back, and nobody follows it", async () => {
  await using other = startUpstream(() => new Response("secrets"));
  await using upstream = startUpstream(() => Response.redirect(`${other.base}/x`, 307));
  const answer = await createSend({ dialFirst: true })(post(upstream.base), timeouts, nobody);
  assertEquals(answer.status, 307);
  await answer.readRest();
  assertEquals(other.seen, []);
});

for (
  const url of [
    "http://127.0.0.1:PORT/v1",
    "http://localhost:PORT/v1",
    "http://[::ffff:127.0.0.1]:PORT/v1",
    "http://0x7f000001:PORT/v1",
    "http://0.0.0.0:PORT/v1",
  ]
) {
  Deno.test(`send: the console's upstream at ${url} is not called`, async () => {
    await using upstream = startUpstream(() => new Response("secrets"));
    const address = url.replace("PORT", new URL(upstream.base).port);
    const error = await failure(post(address, "console"));
    assertEquals(error.code, "upstream_unreachable");
    assertEquals(error.message, "Cannot reach the upstream: its address is not allowed");
    assert(error.cause instanceof Error && error.cause.message.includes("not a public address"));
    assertEquals(upstream.seen, []);
  });
}

Deno.test("send: the configuration's upstream is called wherever it is, as is all where that is allowed", async () => {
  await using upstream = startUpstream(() => new Response("yes"));
  const addresses = { allowsPrivate: true, allowsLoopback: false };
  for (const outbound of [post(upstream.base), post(upstream.base, "console")]) {
    const answer = await createSend({ dialFirst: true, addresses })(outbound, timeouts, nobody);
    assertEquals(await text(answer), "yes");
  }
});

/** A name that means whatever the test says, with a clock of its own. */
function namedHost(...answers: string[][]) {
  const looked: string[] = [];
  const state = { nowMs: 0, answers };
  return {
    looked,
    state,
    options: {
      dialFirst: true,
      addresses: loopback,
      now: () => state.nowMs,
      lookup: (name: string) => {
        looked.push(name);
        const [next = []] = state.answers.length > 1 ? state.answers.splice(0, 1) : state.answers;
        return Promise.resolve(next);
      },
    },
  };
}

Deno.test("send: a name is called at the address that was checked, and looked up once in a while only", async () => {
  await using upstream = startUpstream(({ headers }) => new Response(headers.get("host")));
  const { port } = new URL(upstream.base);
  const host = namedHost(["127.0.0.1"]);
  const send = createSend(host.options);
  // no name server knows it: an answer proves that the checked address was called
  const outbound = post(`http://api.acme.test:${port}/v1`, "console");
  for (let count = 0; count < 20; count++) {
    assertEquals(await text(await send(outbound, timeouts, nobody)), `api.acme.test:${port}`);
  }
  assertEquals(host.looked, ["api.acme.test"]);
  host.state.nowMs = 60_000;
  assertEquals(await text(await send(outbound, timeouts, nobody)), `api.acme.test:${port}`);
  assertEquals(host.looked.length, 2);
});

Deno.test("send: an upstream at a checked address gets an ordinary request, also under IPv6", async () => {
  for (const address of ["127.0.0.1", "::1"]) {
    const heads: string[] = [];
    const listener = Deno.listen({ hostname: address, port: 0 });
    await using upstream = startRawPeer(async (peer) => {
      const request = await peer.readRequest();
      if (request) heads.push(request.head);
      await peer.write("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nyes");
    }, { listener });
    const send = createSend(namedHost([address]).options);
    const outbound = post(`http://api.acme.test:${upstream.port}/v1?alt=sse`, "console");
    assertEquals(await text(await send(outbound, timeouts, nobody)), "yes");
    const [head = ""] = heads;
    assertEquals(head.split("\r\n")[0], "POST /v1?alt=sse HTTP/1.1");
    assertEquals(/^host: (.*)$/im.exec(head)?.[1], `api.acme.test:${upstream.port}`);
  }
});

Deno.test("send: a name that comes to mean a forbidden address is not called any longer", async () => {
  await using upstream = startUpstream(() => new Response("yes"));
  const { port } = new URL(upstream.base);
  const host = namedHost(["127.0.0.1"], ["127.0.0.1", "10.0.0.1"], ["127.0.0.1"]);
  const send = createSend(host.options);
  const outbound = post(`http://api.acme.test:${port}/v1`, "console");
  assertEquals(await text(await send(outbound, timeouts, nobody)), "yes");
  host.state.nowMs = 60_000;
  const error = await assertRejects(() => send(outbound, timeouts, nobody), GatewayError);
  assertEquals(error.code, "upstream_unreachable");
  assertEquals(upstream.seen.length, 1);
  // it was not remembered as checked, and heals by itself
  assertEquals(await text(await send(outbound, timeouts, nobody)), "yes");
});

Deno.test("send: a host that moved is called at its new address, and a stream of the old one goes on", async () => {
  const gate = Promise.withResolvers<void>();
  const port = { value: 0 };
  const serve = (hostname: string, handler: () => Response) => {
    const server = Deno.serve({ hostname, port: port.value, onListen: () => {} }, handler);
    port.value = server.addr.port;
    return server;
  };
  const old = serve("127.0.0.1", () =>
    new Response(
      new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode("old "));
          await gate.promise;
          controller.enqueue(new TextEncoder().encode("end"));
          controller.close();
        },
      }),
    ));
  const moved = serve("127.0.0.2", () => new Response("new"));
  const host = namedHost(["127.0.0.1"], ["127.0.0.2"]);
  const send = createSend(host.options);
  const outbound = post(`http://api.acme.test:${port.value}/v1`, "console");
  const stream = await send(outbound, timeouts, nobody);
  host.state.nowMs = 60_000;
  assertEquals(await text(await send(outbound, timeouts, nobody)), "new");
  await new Promise((resolve) => setTimeout(resolve, 0)); // the old client is closed by now
  gate.resolve();
  assertEquals(await text(stream), "old end");
  await Promise.all([old.shutdown(), moved.shutdown()]);
});

Deno.test("send: of several addresses the first that answers is called", async () => {
  await using upstream = startUpstream(() => new Response("yes"));
  const { port } = new URL(upstream.base);
  const host = namedHost(["127.0.0.3", "127.0.0.1"]);
  const answer = await createSend(host.options)(
    post(`http://api.acme.test:${port}/v1`, "console"),
    timeouts,
    nobody,
  );
  assertEquals(await text(answer), "yes");
});

Deno.test("send: a look-up that hangs ends with the connect timeout, or with the caller", async () => {
  const options = {
    dialFirst: true,
    addresses: loopback,
    lookup: () => new Promise<never>(() => {}),
  };
  const outbound = post("http://api.acme.test/v1", "console");
  const late = await failure(outbound, options, { ...timeouts, connectMs: 5 });
  assertEquals(late.code, "upstream_timeout");
  const caller = new AbortController();
  const left = failure(outbound, options, timeouts, caller.signal);
  caller.abort();
  assertEquals((await left).code, "client_closed");
});

Deno.test("send: behind a proxy a name need not be known here, but what is known must be allowed", async () => {
  const options = {
    dialFirst: false,
    lookup: (name: string) =>
      name === "inside.test" ? Promise.resolve(["10.0.0.1"]) : Promise.reject(new Error("no")),
  };
  for (const url of ["http://10.0.0.1/", "http://localhost/", "http://inside.test/"]) {
    const error = await failure(post(url, "console"), options);
    assertEquals(error.message, "Cannot reach the upstream: its address is not allowed", url);
  }
});

const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
const closedPort = closed.addr.port;
closed.close();

Deno.test("send: a refused connection and an unknown name have different errors", async () => {
  const refused = await failure(post(`http://127.0.0.1:${closedPort}/`));
  assertEquals(refused.message, "Cannot reach the upstream: the connection was refused");
  const lookup = () => Promise.reject(new Error("ENOTFOUND"));
  const unknown = await failure(post("http://api.acme.test/", "console"), {
    dialFirst: true,
    lookup,
  });
  assertEquals(unknown.message, "Cannot reach the upstream: its name cannot be resolved");
  for (const { message } of [refused, unknown]) assert(!/127|acme/.test(message));
});

const rawAnswers = [
  {
    name: "no HTTP",
    write: (write: (text: string) => Promise<void>) => write("SSH-2.0-OpenSSH_9.9\r\n"),
    scheme: "http",
    code: "upstream_invalid_response",
    says: "it does not respond in HTTP",
  },
  {
    name: "nothing at all",
    write: () => Promise.resolve(),
    scheme: "http",
    code: "upstream_unreachable",
    says: "it closed the connection without a response",
  },
  {
    name: "no TLS",
    write: (write: (text: string) => Promise<void>) =>
      write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"),
    scheme: "https",
    code: "upstream_unreachable",
    says: "it does not use TLS",
  },
  {
    name: "headers without end",
    write: async (write: (text: string) => Promise<void>) => {
      await write("HTTP/1.1 200 OK\r\nx-a: ");
      for (;;) await write("a".repeat(65_536));
    },
    scheme: "http",
    code: "upstream_invalid_response",
    says: "its response headers are too large",
  },
  {
    name: "thousands of headers",
    write: (write: (text: string) => Promise<void>) =>
      write(`HTTP/1.1 200 OK\r\n${"x-a: 1\r\n".repeat(5_000)}content-length: 0\r\n\r\n`),
    scheme: "http",
    code: "upstream_invalid_response",
    says: "its response headers are too large",
  },
] as const;
for (const { name, write, scheme, code, says } of rawAnswers) {
  Deno.test(`send: an upstream that answers with ${name}`, async () => {
    using server = startRawServer(write);
    const error = await failure(post(`${scheme}://127.0.0.1:${server.port}/`));
    assertEquals(error.code, code);
    assert(error.message.includes(says), error.message);
  });
}

/** As the runtime words them; the first line of each is what `fetch` throws. */
const runtimeWords = [
  ["client error (Connect): invalid peer certificate: UnknownIssuer", "certificate"],
  ["client error (Connect): invalid peer certificate: certificate expired", "certificate"],
  ["client error (Connect): tcp connect error: Connection refused (os error 111)", "refused"],
  [
    "client error (Connect): tcp connect error: Network is unreachable (os error 101)",
    "unreachable",
  ],
  ["client error (Connect): dns error: failed to lookup address information", "name"],
  ["client error (SendRequest): connection closed before message completed", "closed"],
  ["Connection reset by peer (os error 104)", "closed"],
  ["peer closed connection without sending TLS close_notify", "closed"],
  ["something new", "unknown"],
] as const;
for (const [message, fault] of runtimeWords) {
  Deno.test(`networkFaultOf ${message}`, () => {
    const cause = new Error(`error sending request for url (https://api.acme.test/): ${message}`);
    assertEquals(networkFaultOf(new TypeError("fetch failed", { cause })), fault);
  });
}

type Answer = Awaited<ReturnType<ReturnType<typeof createSend>>>;

async function text(answer: Answer): Promise<string> {
  return new TextDecoder().decode(await answer.readRest());
}

async function json(answer: Answer): Promise<unknown> {
  return JSON.parse(await text(answer));
}
