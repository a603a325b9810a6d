import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { foundPage, ranCode, type Reply } from "../small_model.ts";

/** The blocks of a server tool: its use and its result. */
export function hostedBlocks({ hosted }: Reply, answer: string): JsonObject[] {
  const id = `srvtoolu_${answer}`;
  switch (hosted) {
    case undefined:
      return [];
    case "web-search":
      return [
        { type: "server_tool_use", id, name: "web_search", input: { query: "weather oslo" } },
        { type: "web_search_tool_result", tool_use_id: id, content: [found] },
      ];
    case "code-execution":
      return [
        { type: "server_tool_use", id, name: "code_execution", input: { code: ranCode.code } },
        { type: "code_execution_tool_result", tool_use_id: id, content: ran },
      ];
    default:
      return hosted satisfies never;
  }
}

const found = {
  type: "web_search_result",
  ...foundPage,
  encrypted_content: "cGFnZQ==",
  page_age: null,
};

const ran = {
  type: "code_execution_result",
  stdout: ranCode.output,
  stderr: "",
  return_code: 0,
  content: [],
};

/** Cites the found page for the whole text. */
export function citationsOf({ hosted }: Reply): JsonObject[] | null {
  if (hosted !== "web-search") return null;
  return [{
    type: "web_search_result_location",
    ...foundPage,
    encrypted_index: "aW5kZXg=",
    cited_text: "Cold all week",
  }];
}
