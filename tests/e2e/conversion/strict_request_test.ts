import { assertEquals } from "@std/assert";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { longBodies } from "../../formats/requests/long_request.ts";
import { upstreamModels } from "../../formats/requests/upstream_models.ts";
import { startStrict, strictCredential } from "../../strict/mod.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";

/** With `tessera-strict: true`, a long request that loses nothing is answered by an upstream of every format. */

const paths = {
  "chat-completions": () => "/v1/chat/completions",
  responses: () => "/v1/responses",
  messages: () => "/v1/messages",
  "generate-content": (model) => `/v1beta/models/${model}:generateContent`,
} as const satisfies Record<FormatName, (model: string) => string>;

/** The standard tier, and two calls of one turn with their results the other way round. */
const said = {
  "chat-completions": {
    service_tier: "default",
    messages: [
      ...longBodies["chat-completions"].messages,
      {
        role: "assistant",
        content: "",
        tool_calls: ["a", "b"].map((id) => ({
          id,
          type: "function",
          function: { name: "shell", arguments: '{"command":"ls"}' },
        })),
      },
      { role: "tool", tool_call_id: "b", content: "two" },
      { role: "tool", tool_call_id: "a", content: "one" },
      { role: "user", content: "Go on" },
    ],
  },
  responses: {
    service_tier: "auto",
    input: [
      ...longBodies.responses.input,
      ...["a", "b"].map((call_id) => ({
        type: "function_call",
        call_id,
        name: "shell",
        arguments: '{"command":"ls"}',
      })),
      { type: "function_call_output", call_id: "b", output: "two" },
      { type: "function_call_output", call_id: "a", output: "one" },
      { role: "user", content: "Go on" },
    ],
  },
  messages: { service_tier: "standard_only" },
  "generate-content": { serviceTier: "standard" },
} as const satisfies Record<FormatName, JsonObject>;

for (const from of formatNames) {
  for (const to of formatNames.filter((to) => to !== from)) {
    Deno.test(`tessera-strict: a long request of ${from} that loses nothing in ${to} is answered`, async () => {
      await using upstream = startStrict(to);
      const model = upstreamModels[to];
      await using gateway = await startGateway(
        oneUpstream({ [to]: upstream.base }, { apiKeys: [strictCredential], models: [model] }),
      );
      const { model: _, ...body }: JsonObject = { ...longBodies[from], ...said[from] };
      const response = await fetch(gateway.base + paths[from](model), {
        method: "POST",
        headers: {
          authorization: `Bearer ${testKey}`,
          "content-type": "application/json",
          "tessera-strict": "true",
        },
        body: JSON.stringify(from === "generate-content" ? body : { ...body, model }),
      });
      assertEquals(response.status, 200, await response.text());
      assertEquals(response.headers.get("tessera-notes"), null);
      assertEquals(upstream.seen.flatMap(({ refusals }) => refusals), []);
    });
  }
}
