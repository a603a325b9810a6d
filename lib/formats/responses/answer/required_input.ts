import type { JsonObject } from "../../../canonical/mod.ts";

/** For each type of call: the output that it waits for, of which the client has to send one. */
const outputs: Readonly<Record<string, (call: JsonObject) => JsonObject>> = {
  function_call: ({ call_id, name }) => ({ type: "function_call_output", call_id, name }),
  custom_tool_call: ({ call_id }) => ({ type: "custom_tool_call_output", call_id }),
  computer_call: ({ call_id }) => ({ type: "computer_call_output", call_id }),
  shell_call: ({ call_id }) => ({ type: "shell_call_output", call_id }),
  apply_patch_call: ({ call_id }) => ({ type: "apply_patch_call_output", call_id }),
  tool_search_call: ({ call_id }) => ({ type: "tool_search_output", call_id, execution: "client" }),
  mcp_approval_request: ({ id }) => ({ type: "mcp_approval_response", approval_request_id: id }),
};

/** The outputs, as stubs, that the calls in a response wait for; those of hosted tools are in it. */
export function requiredInput(output: readonly JsonObject[]): readonly JsonObject[] {
  const ran = new Set(
    output.filter(({ type }) => String(type).endsWith("_output")).map((item) => item.call_id),
  );
  return output
    .filter(({ call_id, execution }) => execution !== "server" && !ran.has(call_id ?? null))
    .flatMap((item) => {
      const type = String(item.type);
      return Object.hasOwn(outputs, type) ? [outputs[type](item)] : [];
    });
}
