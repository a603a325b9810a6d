import { assertEquals } from "@std/assert";
import { startGateway } from "../e2e/gateway.ts";

interface Listed {
  readonly data: readonly Record<string, unknown>[];
}

const config = {
  upstreams: [{
    id: "acme",
    endpoints: { "chat-completions": "http://127.0.0.1:9/v1" },
    models: ["gpt-5.1", "claude-haiku-4-5", "acme-large"],
  }],
  models: [{ id: "gpt-5.1", displayName: "House model", ownedBy: "acme", contextWindow: 50_000 }],
};

Deno.test("GET /v1/models: the catalog supplies facts that no record has", async () => {
  await using gateway = await startGateway(config);
  const response = await fetch(`${gateway.base}/v1/models`, {
    headers: { authorization: `Bearer ${gateway.key}` },
  });
  const list: Listed = await response.json();
  const facts = list.data.map((
    { id, display_name, owned_by, max_input_tokens, max_tokens },
  ) => [id, display_name, owned_by, max_input_tokens, max_tokens]);
  assertEquals(facts, [
    ["acme-large", "acme-large", "tessera", undefined, undefined],
    ["claude-haiku-4-5", "Claude Haiku 4.5", "anthropic", 200_000, 64_000],
    ["gpt-5.1", "House model", "acme", 50_000, 128_000],
  ]);
});
