import { assert, assertEquals } from "@std/assert";
import { createModel } from "../../lib/store/catalog/mod.ts";
import { startApi, type TestApi } from "./api.ts";

/** With room for a busy machine: each took less than 600 ms. */
const msMax = 2_000;

async function assertQuick(api: TestApi, path: string): Promise<Record<string, unknown[]>> {
  const startedAt = performance.now();
  const { status, body } = await api.ask("GET", path);
  const tookMs = performance.now() - startedAt;
  assertEquals(status, 200, path);
  assert(tookMs < msMax, `${path} took ${Math.round(tookMs)} ms`);
  return body;
}

Deno.test("management: 5,000 models of two upstreams are listed and read quickly", async () => {
  const models = Array.from({ length: 5_000 }, (_, n) => `vendor/model-${n}`);
  const upstreams = ["up", "spare"].map((id) => ({
    id,
    endpoints: { "chat-completions": "http://127.0.0.1:9/v1" },
    models,
  }));
  await using api = await startApi({ upstreams });
  for (const id of models.slice(0, 500)) {
    const price = { input: 1, output: 2 };
    await createModel(api.store, { id, price, createdAtMs: 1, origin: "console" });
  }
  const { data } = await assertQuick(api, "/models?limit=100");
  assertEquals(data.length, 100);
  const { upstreams: servers } = await assertQuick(api, "/models/vendor%2Fmodel-7");
  assertEquals(servers.length, 2);
});
