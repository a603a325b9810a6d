import { assert, assertEquals, assertLess } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { objectOf } from "../../../lib/formats/wire_value.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "../gateway.ts";
import { agentWires } from "./agent_wire.ts";
import { type CachingVendor, startCachingVendor } from "./caching_vendor.ts";

const model = "claude-sonnet-4-5";
/** As the vendor prices it: a write costs a quarter more than the input, a read a tenth of it. */
const price = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75, cacheWrite1h: 6 };

function gatewayTo(
  { base }: CachingVendor,
  upstream: JsonObject = {},
  key: JsonObject = {},
): Promise<TestGateway> {
  return startGateway({
    ...oneUpstream({ messages: base }, { models: [model], ...upstream }),
    models: [{ id: model, price }],
    keys: [{ name: "test", group: "default", value: testKey, ...key }],
  });
}

async function call(
  { base }: TestGateway,
  path: string,
  body: JsonObject,
  headers: Record<string, string> = {},
): Promise<{ readonly body: JsonObject; readonly usd: number; readonly notes: string }> {
  const response = await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assertEquals(response.status, 200, text);
  return {
    body: JSON.parse(text),
    usd: Number(response.headers.get("tessera-cost")),
    notes: response.headers.get("tessera-notes") ?? "",
  };
}

for (const [format, { path, body }] of Object.entries(agentWires)) {
  Deno.test(`caching: an agent's next call in ${format} reads the prompt of its last one from the cache`, async () => {
    await using vendor = startCachingVendor();
    await using gateway = await gatewayTo(vendor);
    const first = body({ turns: 20 });
    assert(JSON.stringify(first).length > 95_000, `${JSON.stringify(first).length} bytes`);
    const one = await call(gateway, path, first);
    const two = await call(gateway, path, body({ turns: 21 }));
    const [written, read] = vendor.uses;
    assertEquals([written.read, written.breakpoints.length], [0, 4]);
    assert(written.written > 20_000 && written.input < 50, JSON.stringify(written));
    assert(read.read > 0.95 * written.written, JSON.stringify(vendor.uses));
    assertLess(read.written, 2_500);

    await using plain = await gatewayTo(vendor, { automaticCaching: false });
    const without = [
      (await call(plain, path, first)).usd,
      (await call(plain, path, body({ turns: 21 }))).usd,
    ];
    assertEquals(vendor.uses.slice(2).map(({ breakpoints }) => breakpoints), [[], []]);
    assertLess(one.usd, without[0] * 1.25, "a write costs a quarter more");
    assertLess(two.usd, without[1] * 0.25, "a read costs a tenth");
    assertLess(one.usd + two.usd, (without[0] + without[1]) * 0.75);
  });
}

Deno.test("caching: more results at once than the vendor looks back still find the last prompt", async () => {
  await using vendor = startCachingVendor();
  await using gateway = await gatewayTo(vendor);
  const { path, body } = agentWires["chat-completions"];
  await call(gateway, path, body({ turns: 1, callsAtOnce: 24 }));
  await call(gateway, path, body({ turns: 2, callsAtOnce: 24 }));
  const [first, second] = vendor.uses;
  assert(second.read > 0.95 * first.written, JSON.stringify(vendor.uses));
});

Deno.test("caching: callers see the tokens read and written", async () => {
  await using vendor = startCachingVendor();
  await using gateway = await gatewayTo(vendor);
  const { path, body } = agentWires["chat-completions"];
  await call(gateway, path, body({ turns: 2 }));
  const { body: answer } = await call(gateway, path, body({ turns: 3 }));
  const { read, written, input } = vendor.uses[1];
  const usage = objectOf(answer.usage);
  const { cached_tokens, cache_write_tokens } = objectOf(usage.prompt_tokens_details);
  assertEquals([cached_tokens, cache_write_tokens], [read, written]);
  assertEquals(usage.prompt_tokens, read + written + input);
  const responses = agentWires.responses;
  const { body: response } = await call(gateway, responses.path, responses.body({ turns: 4 }));
  const details = objectOf(objectOf(response.usage).input_tokens_details);
  const [, , use] = vendor.uses;
  assertEquals([details.cached_tokens, details.cache_write_tokens], [use.read, use.written]);
});

Deno.test("caching: a call that only fills the cache has no answer, and the next one reads it", async () => {
  await using vendor = startCachingVendor();
  await using gateway = await gatewayTo(vendor);
  for (const [format, stream] of [["chat-completions", false], ["responses", true]] as const) {
    const { path, body } = agentWires[format];
    const warm = { ...body({ turns: 5 }), stream, prompt_cache_options: { prewarm: true } };
    const response = await fetch(gateway.base + path, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      body: JSON.stringify(warm),
    });
    const text = await response.text();
    assertEquals(response.status, 200, text);
    assert(!text.includes("Done."), text);
    await call(gateway, path, body({ turns: 6 }));
    const [filled, used] = vendor.uses.slice(-2);
    assert(used.read > 0.95 * (filled.written + filled.read), JSON.stringify(vendor.uses));
  }
});
