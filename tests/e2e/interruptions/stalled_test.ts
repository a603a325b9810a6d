import { assertStringIncludes } from "@std/assert";
import { readForm } from "../../../lib/console/page/form.ts";
import { hangUpWhenLate } from "../../../lib/http/hang_up.ts";
import { RawClient } from "../../raw_client.ts";
import { startGateway, testKey } from "../gateway.ts";

/** Requests that never come whole: they are answered in time, and their connection ends. */

const stalls = [
  {
    name: "a short body that stops",
    head: `authorization: Bearer ${testKey}\r\ncontent-length: 100`,
    begin: `{"model":`,
  },
  {
    name: "a long body that stops",
    head: `authorization: Bearer ${testKey}\r\ncontent-length: 900000`,
    begin: `{"model":`,
  },
  {
    name: "a chunked body that stops",
    head: `authorization: Bearer ${testKey}\r\ntransfer-encoding: chunked`,
    begin: `9\r\n{"model":\r\n5\r\n"`,
  },
];

for (const { name, head, begin } of stalls) {
  Deno.test(`stalled request: ${name} is a 408 that ends its connection`, async () => {
    await using gateway = await startGateway({ limits: { bodyTimeoutMs: 300 } });
    const said = await everythingSaid(
      gateway.base,
      `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${head}\r\n\r\n${begin}`,
    );
    assertStringIncludes(said, "HTTP/1.1 408");
    assertStringIncludes(said, '"code":"body_timeout"');
    assertStringIncludes(said, "}}\r\n", "the answer is whole");
  });
}

Deno.test("stalled request: a form of the console that stops is a 408", async () => {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const answer = await readForm(request, 1_000, 300).then(
        (form) => new Response(form.get("a")),
        ({ status }) => new Response("late", { status }),
      );
      return await hangUpWhenLate(answer);
    },
  );
  const said = await everythingSaid(
    `http://127.0.0.1:${server.addr.port}`,
    "POST /login HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\na=1",
  );
  assertStringIncludes(said, "HTTP/1.1 408");
  await server.shutdown();
});

/** The bytes that a server sends until it disconnects; a connection left open fails the test. */
async function everythingSaid(base: string, request: string): Promise<string> {
  using client = await RawClient.to(new URL(base));
  await client.write(request);
  return await client.readAll(5_000);
}
