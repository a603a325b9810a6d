import { assert, assertEquals } from "@std/assert";
import { wholeAnswers } from "./responses/whole_answers.ts";
import { startUpstream } from "./fake_upstream.ts";
import { startGateway, testKey } from "./gateway.ts";

/**
 * Paths that read as another one once they are decoded. Of another gateway, the check of a request
 * and its route saw different paths, so that `..%2F` needed no key
 * (https://github.com/maximhq/bifrost/pull/5765, and again in #7830).
 */

const up = ["..", "%2e%2E", "%252e%252e"];
const slashes = ["/", "%2F", "%5c", "\\"];
const steps = up.flatMap((dots) => slashes.map((slash) => dots + slash));

/** Public pages and addresses without a key, from which a path climbs to one that needs it. */
const publicHeads = ["/docs/", "/static/", "/assets/", "/sign-in/", "/health/", "/v1/models/"];
/** Addresses that need a key, a token or a session, and words that only they answer with. */
const guarded = [
  { tail: "v1/key", words: /"remaining"|"key_prefix"|"budget/ },
  { tail: "v1/usage", words: /"total_cost|"requests"/ },
  { tail: "api/v1/keys", words: /"secret"|"prefix"/ },
  { tail: "console/admin/upstreams", words: /api-secret-of-the-upstream|<table/ },
] as const;

Deno.test("an encoded path opens nothing that its plain one does not, with or without public heads", async () => {
  await using upstream = startUpstream(() => Response.json(wholeAnswers["chat-completions"]));
  await using gateway = await startGateway({
    upstreams: [{
      id: "up",
      endpoints: { "chat-completions": `${upstream.base}/v1` },
      apiKeys: ["api-secret-of-the-upstream"],
      models: ["m"],
    }],
  });
  let tried = 0;
  for (const head of publicHeads) {
    for (const step of steps) {
      for (const { tail, words } of guarded) {
        for (const path of [head + step + tail, head + step + step + tail]) {
          const text = await plain(gateway.base, "GET", path);
          assert(!words.test(text), `${path}: ${text.slice(0, 300)}`);
          tried++;
        }
      }
    }
  }
  assertEquals(tried, publicHeads.length * steps.length * guarded.length * 2);
  assertEquals(upstream.seen, []);
});

/** Models and ids whose names hold steps: they stay names, and never a part of the upstream's path. */
const names = steps.flatMap((step) => [`${step}${step}files`, `m${step}secret`, `${step}v1/files`]);

Deno.test("a model's name with steps is a name: no upstream's path changes, whatever the format", async () => {
  await using upstream = startUpstream(({ path }) =>
    Response.json(
      path.includes("enerateContent")
        ? wholeAnswers["generate-content"]
        : wholeAnswers["chat-completions"],
    )
  );
  await using gateway = await startGateway({
    upstreams: [{
      id: "up",
      endpoints: { "generate-content": `${upstream.base}/v1beta` },
      apiKeys: ["x"],
      models: ["*"],
    }],
  });
  const paths = names.flatMap((name) => [
    `/v1beta/models/${name}:generateContent`,
    `/v1/responses/${name}`,
    `/v1/responses/${name}/input_items`,
    `/v1/conversations/${name}`,
    `/v1/models/${name}`,
  ]);
  for (const path of paths) {
    for (const method of ["GET", "POST"]) {
      const body = method === "POST" ? '{"contents":[{"parts":[{"text":"hi"}]}]}' : "";
      await plain(gateway.base, method, path, body);
    }
  }
  for (const name of names) {
    const body = JSON.stringify({
      model: decodeURIComponent(name),
      messages: [{ role: "user", content: "hi" }],
    });
    await plain(gateway.base, "POST", "/v1/chat/completions", body);
  }
  for (const { path } of upstream.seen) {
    assert(/^\/v1beta\/models\/[^/\\]+:(?:g|streamG)enerateContent(?:\?|$)/.test(path), path);
  }
  assert(upstream.seen.length > 0, "some of them are names");
});

/** Sends the path as it is: `fetch` would resolve its steps. */
async function plain(base: string, method: string, path: string, body = ""): Promise<string> {
  const { hostname, host, port } = new URL(base);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const isCall = method === "POST";
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    "connection: close",
    ...(isCall ? [`authorization: Bearer ${testKey}`, "content-type: application/json"] : []),
    `content-length: ${body.length}`,
  ];
  await connection.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${body}`));
  return await new Response(connection.readable).text();
}
