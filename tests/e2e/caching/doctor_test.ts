import { assertEquals, assertStringIncludes } from "@std/assert";
import { decimalUsd, type JsonObject } from "../../../lib/canonical/mod.ts";
import { auditStore } from "../../../lib/audit/mod.ts";
import { cacheSavingOf, listRequestLogs } from "../../../lib/store/log/mod.ts";
import { objectOf, objectsOf } from "../../../lib/formats/wire_value.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
import { agentWires, messagesWire } from "./agent_wire.ts";
import { startCachingVendor } from "./caching_vendor.ts";

const model = "claude-sonnet-4-5";
const price = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75, cacheWrite1h: 6 };

/** An agent's steps: the number of its turns, the texts that differ from then on, and what is found. */
const steps: readonly (readonly [turns: number, from?: string, to?: string, cause?: string])[] = [
  [8],
  [9],
  [10, "You are a coding agent", "You are an agent for code", "system"],
  [11],
  [12, '"tool_6: ', '"tool_6, ', "tool 7"],
  [13],
  [14, "Repair the build: ", "Mend the build: ", "message 1"],
  [15],
];

for (const [format, { path, body }] of Object.entries({ ...agentWires, messages: messagesWire })) {
  Deno.test(`cache doctor: an agent in ${format} learns which block missed the cache, and what it cost`, async () => {
    await using vendor = startCachingVendor();
    await using gateway = await startGateway({
      ...oneUpstream({ messages: vendor.base }, { models: [model] }),
      models: [{ id: model, price }],
      keys: [{ name: "test", group: "default", value: testKey }],
    });
    const authorization = `Bearer ${testKey}`;
    let change = (text: string) => text;
    for (const [turns, from, to] of steps) {
      const before = change;
      if (from && to) change = (text) => before(text).replace(from, to);
      const response = await fetch(gateway.base + path, {
        method: "POST",
        headers: { authorization, "tessera-session": "build-7" },
        body: change(JSON.stringify(body({ turns }))),
      });
      assertEquals(response.status, 200, await response.text());
    }
    const { store } = gateway.parts;
    const { rows } = await listRequestLogs(store, { limit: 50 });
    const causes = steps.map(([, , , cause]) => cause).reverse()
      .map((cause) =>
        format === "chat-completions" ? cause?.replace("message 1", "message 2") : cause
      );
    assertEquals(rows.map(({ cacheMiss }) => cacheMiss), causes, JSON.stringify(vendor.uses));
    const read = await fetch(`${gateway.base}/v1/usage?session=build-7`, {
      headers: { authorization },
    });
    const usage: JsonObject = await read.json();
    const { misses, advice } = objectOf(usage.cache);
    assertEquals(objectsOf(misses).map(({ cause }) => cause), causes.filter(Boolean));
    assertStringIncludes(String(advice), "Keep the beginning of the prompt the same");
    const { cache_saving, cache_misses, cache_write_tokens, cached_input_tokens } = objectOf(
      usage.total,
    );
    const saving = rows.reduce((sum, row) => sum + cacheSavingOf(row), 0n);
    const sum = (of: "read" | "written") => vendor.uses.reduce((all, use) => all + use[of], 0);
    assertEquals(
      [cache_saving, cache_misses, cache_write_tokens, cached_input_tokens],
      [decimalUsd(saving), 3, sum("written"), sum("read")],
    );
    assertEquals(saving, BigInt(sum("read")) * 2_700n - BigInt(sum("written")) * 750n);
    assertEquals((await auditStore(store)).differences, []);
  });
}
