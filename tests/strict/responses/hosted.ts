import type { JsonObject } from "../../../lib/canonical/mod.ts";
import {
  approval,
  drawnPng,
  foundPage,
  type HostedTool,
  ranCode,
  type Reply,
} from "../small_model.ts";

/** The items of server tools: searches, code execution, images, MCP approval requests. */
export function hostedItems(reply: Reply, id: string): JsonObject[] {
  const { hosted, draws, asksApproval } = reply;
  return [
    ...(hosted === undefined ? [] : [toolItems[hosted](id)]),
    ...(draws ? [pictureItem(id)] : []),
    ...(asksApproval ? [approvalItem(id)] : []),
  ];
}

const toolItems: Readonly<Record<HostedTool, (id: string) => JsonObject>> = {
  "web-search": (id) => ({
    id: `ws_${id}`,
    type: "web_search_call",
    status: "completed",
    action: { type: "search", query: "weather oslo", queries: ["weather oslo"] },
  }),
  "code-execution": (id) => ({
    id: `ci_${id}`,
    type: "code_interpreter_call",
    status: "completed",
    container_id: "cntr_1",
    code: ranCode.code,
    outputs: [{ type: "logs", logs: ranCode.output }],
  }),
};

function pictureItem(id: string): JsonObject {
  return { id: `ig_${id}`, type: "image_generation_call", status: "completed", result: drawnPng };
}

function approvalItem(id: string): JsonObject {
  const { server: server_label, name, args } = approval;
  return {
    id: `mcpr_${id}`,
    type: "mcp_approval_request",
    server_label,
    name,
    arguments: JSON.stringify(args),
  };
}

/** Cites the found page for the whole text. */
export function annotationsOf({ hosted, text = "" }: Reply): JsonObject[] {
  if (hosted !== "web-search") return [];
  return [{ type: "url_citation", start_index: 0, end_index: text.length, ...foundPage }];
}

const stages: Readonly<Record<string, readonly string[]>> = {
  web_search_call: ["in_progress", "searching", "completed"],
  code_interpreter_call: ["in_progress", "interpreting", "completed"],
  image_generation_call: ["in_progress", "generating", "completed"],
};

/** The statuses of such an item, in order. */
export function hostedEvents({ type }: JsonObject, place: JsonObject): JsonObject[] {
  return (stages[String(type)] ?? []).map((stage) => ({
    type: `response.${type}.${stage}`,
    ...place,
  }));
}
