import { assertEquals } from "@std/assert";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { objectOf } from "../../../lib/formats/wire_value.ts";
import { converted, longBodies } from "./long_request.ts";
import { upstreamModels } from "./upstream_models.ts";

/**
 * "Some tool must be called", in each format's own word. Another gateway sent the word of one format
 * to the vendor of another, which refuses it (https://github.com/maximhq/bifrost/issues/6887, fixed
 * by #6888).
 */

const words: Readonly<Record<FormatName, JsonObject>> = {
  "chat-completions": { tool_choice: "required" },
  responses: { tool_choice: "required" },
  messages: { tool_choice: { type: "any" } },
  "generate-content": { toolConfig: { functionCallingConfig: { mode: "ANY" } } },
};

for (const from of formatNames) {
  for (const to of formatNames) {
    Deno.test(`a forced call of ${from} is one in the words of ${to}`, () => {
      const body = { ...longBodies[from], ...words[from] } as JsonObject; // sound: plain JSON
      const sent = converted(body, { from, to, model: upstreamModels[to] });
      const [[name, choice]] = Object.entries(words[to]);
      const found = objectOf(sent.body)[name];
      assertEquals(found, choice, JSON.stringify(sent.notes));
    });
  }
}
