import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { canRun } from "../can_run.ts";
import { startUpstream } from "../e2e/fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../e2e/gateway.ts";
import { startGated } from "../e2e/sockets/gated_upstream.ts";
import { isType, openSocket } from "../e2e/sockets/session.ts";
import { later } from "../waiting.ts";
import { type Proxy, proxyNames, startProxy } from "./proxies.ts";

const versionArgs = { nginx: ["-v"], caddy: ["version"] };
const hasTools = await canRun("openssl", ["version"]) && await canRun("curl");
const listed = "sk-listed-0123456789abcdef";
const settings = {
  trustedProxies: ["127.0.0.1", "::1"],
  keys: [
    { name: "test", group: "default", value: testKey },
    { name: "listed", group: "default", value: listed, ipAllowList: ["127.0.0.2"] },
  ],
};
const waitMs = 5_000;

function chat(stream: boolean): RequestInit {
  const messages = [{ role: "user", content: "hi" }];
  const headers = { authorization: `Bearer ${testKey}` };
  return { method: "POST", headers, body: JSON.stringify({ model: "m", stream, messages }) };
}

/** The status of a call from an address of this machine, with an address that the caller claims. */
async function statusFrom(proxy: Proxy, address: string, claimed: string): Promise<string> {
  const { stdout, stderr } = await new Deno.Command("curl", {
    args: [
      ...["-sS", "--cacert", proxy.certificate, "--interface", address, "-o", "/dev/null"],
      ...["-w", "%{http_code}", "-H", `authorization: Bearer ${listed}`],
      ...["-H", `x-forwarded-for: ${claimed}`, `${proxy.base}/v1/models`, "--ipv4"],
    ],
  }).output();
  return new TextDecoder().decode(stdout) || new TextDecoder().decode(stderr);
}

const soon = <T>(promise: Promise<T>, problem: string): Promise<T> =>
  Promise.race([
    promise,
    later(waitMs).then((): never => {
      throw new Error(problem);
    }),
  ]);

for (const name of proxyNames) {
  const isInstalled = hasTools && await canRun(name, versionArgs[name]);
  if (!isInstalled) console.log(`No ${name} found: its file in deploy/ is not tried`);
  const file = name === "nginx" ? "deploy/nginx.conf" : "deploy/Caddyfile";
  const test = (says: string, fn: () => Promise<void>) =>
    Deno.test({ name: `${file}: ${says}`, ignore: !isInstalled, fn });

  test("a stream arrives as it is written, and its caller's disconnect reaches the upstream", async () => {
    const next = Promise.withResolvers<void>();
    const chunk = (content: string) =>
      new TextEncoder().encode(
        `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`,
      );
    await using upstream = startUpstream(() =>
      new Response(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(chunk("first"));
            await next.promise;
            controller.enqueue(chunk("second"));
          },
        }),
        { headers: { "content-type": "text/event-stream" } },
      )
    );
    await using gateway = await startGateway({
      ...settings,
      ...oneUpstream({ "chat-completions": `${upstream.base}/v1` }),
    });
    await using proxy = await startProxy(name, new URL(gateway.base).host);
    const response = await proxy.fetch("/v1/chat/completions", chat(true));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    assertMatch((await soon(reader!.read(), "the first event waits")).value ?? "", /first/);
    next.resolve();
    assertMatch((await soon(reader!.read(), "the second event waits")).value ?? "", /second/);
    await reader?.cancel();
    await soon(upstream.seen[0].aborted, "the upstream works on");
  });

  test("links and advice name the address that the caller uses", async () => {
    await using gateway = await startGateway(settings);
    await using proxy = await startProxy(name, new URL(gateway.base).host);
    const { base, httpPort } = proxy;
    const wrong = await proxy.fetch("/v1/v1/chat/completions", chat(false));
    assertStringIncludes(await wrong.text(), `base URL to ${base}/v1`);
    const login = await proxy.fetch("/login", {
      method: "POST",
      redirect: "manual",
      headers: { origin: base },
      body: new URLSearchParams({ email: "a@example.com", password: "wrong wrong wrong" }),
    });
    await login.body?.cancel();
    assert(login.status !== 403, "the form of the console's own page is refused");
    if (name === "nginx") {
      const plain = await fetch(`http://localhost:${httpPort}/v1`, { redirect: "manual" });
      await plain.body?.cancel();
      assertEquals(plain.headers.get("location"), `https://localhost:${httpPort}/v1`);
    }
  });

  test("the caller's address is its own, whatever it claims", async () => {
    await using gateway = await startGateway(settings);
    await using proxy = await startProxy(name, new URL(gateway.base).host);
    assertEquals(await statusFrom(proxy, "127.0.0.2", "192.0.2.1"), "200");
    assertEquals(await statusFrom(proxy, "127.0.0.3", "127.0.0.2"), "403");
  });

  test("a socket carries responses, and its caller's disconnect reaches the upstream", async () => {
    await using upstream = startGated();
    await using gateway = await startGateway({
      ...settings,
      ...oneUpstream({ responses: upstream.base }),
    });
    await using proxy = await startProxy(name, new URL(gateway.base).host);
    const ca = await Deno.readTextFile(proxy.certificate);
    using client = await openSocket(proxy, testKey, { ca });
    client.send({ type: "response.create", model: "m", input: "one" });
    const first = await upstream.next();
    first.say("as it is written");
    await client.seen(isType("response.output_text.delta"));
    first.end();
    await client.seen(isType("response.completed"));
    client.send({ type: "response.create", model: "m", input: "two" });
    const { seen } = await upstream.next();
    client.socket.socket.platformSocket.terminate();
    await soon(seen.aborted, "the upstream works on");
  });
}
