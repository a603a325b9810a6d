import { assertEquals } from "@std/assert";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { converted, longBodies, told } from "./long_request.ts";

/** A native setting of a hosted tool is left out with a note, but without one if it sets nothing. */

const models = {
  "chat-completions": "gpt-5-search-api",
  responses: "gpt-5.1",
  messages: "claude-opus-5",
  "generate-content": "gemini-3-pro",
} as const satisfies Record<FormatName, string>;

const cases: readonly {
  readonly from: FormatName;
  readonly tool: JsonObject;
  readonly lost: readonly string[];
}[] = [
  { from: "generate-content", tool: { googleSearch: {} }, lost: [] },
  {
    from: "generate-content",
    tool: { googleSearch: { timeRangeFilter: { startTime: "2026-01-01T00:00:00Z" } } },
    lost: ["timeRangeFilter"],
  },
  {
    from: "responses",
    tool: { type: "web_search", external_web_access: true, filters: { allowed_domains: [] } },
    lost: [],
  },
  {
    from: "responses",
    tool: {
      type: "web_search",
      external_web_access: false,
      filters: { blocked_domains: ["a.com"] },
    },
    lost: ["external_web_access", "filters"],
  },
  { from: "messages", tool: { type: "web_search_20250305", name: "web_search" }, lost: [] },
  {
    from: "messages",
    tool: { type: "web_fetch_20250910", name: "web_fetch", max_content_tokens: 5000 },
    lost: ["max_content_tokens"],
  },
  {
    from: "responses",
    tool: { type: "code_interpreter", container: { type: "auto" } },
    lost: [],
  },
  {
    from: "responses",
    tool: { type: "code_interpreter", container: { type: "auto", file_ids: ["file_1"] } },
    lost: ["container"],
  },
  {
    from: "responses",
    tool: {
      type: "web_search",
      search_context_size: 1,
      user_location: { type: "approximate", postcode: "3011" },
    },
    lost: ["search_context_size", "user_location"],
  },
  {
    from: "messages",
    tool: {
      type: "web_search_20250305",
      name: "web_search",
      user_location: { type: "approximate", city: 1 },
    },
    lost: ["user_location"],
  },
];

for (const { from, tool, lost } of cases) {
  for (const to of formatNames.filter((name) => name !== from)) {
    Deno.test(`${JSON.stringify(tool)} of ${from} to ${to} loses ${lost.join(", ") || "nothing"}`, () => {
      const body = { ...longBodies[from], tools: [tool] };
      const { notes } = converted(body, { from, to, model: models[to] });
      const paths = told(notes).filter((note) => note.startsWith("tools[0]"));
      const isLeftOut = paths.some((note) => /^tools\[0\][^.]/.test(note));
      const names = paths.flatMap((note) => /^tools\[0\]\.(\w+)/.exec(note)?.[1] ?? []);
      assertEquals(isLeftOut ? lost : names, lost);
    });
  }
}
