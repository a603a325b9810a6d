import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";

/** Items of hosted tools on the wire, each with its Markdown for readers of other formats. */
export interface HostedCase {
  readonly name: string;
  readonly item: JsonObject;
  /** The whole text; absent for an item without one. */
  readonly text?: string;
}

const fence = (text: string, language = "") => `\`\`\`${language}\n${text}\n\`\`\``;

const search = { type: "search", query: "deno", queries: ["deno", "deno 2.8"] };

export const hostedCases: Readonly<Record<FormatName, readonly HostedCase[]>> = {
  responses: [
    {
      name: "web search with sources",
      item: {
        type: "web_search_call",
        id: "ws_1",
        status: "completed",
        action: { ...search, sources: [{ type: "url", url: "https://deno.com/a b" }] },
      },
      text: "Web search: `deno`, `deno 2.8`\n\n- <https://deno.com/a%20b>",
    },
    {
      name: "web search that opened a page",
      item: {
        type: "web_search_call",
        id: "ws_2",
        status: "completed",
        action: { type: "open_page", url: "https://deno.com/" },
      },
      text: "Page opened: <https://deno.com/>",
    },
    {
      name: "web search within a page",
      item: {
        type: "web_search_call",
        id: "ws_3",
        status: "completed",
        action: { type: "find_in_page", url: "https://deno.com/", pattern: "a `b`" },
      },
      text: "Text searched in the page https://deno.com/: `` a `b` ``",
    },
    {
      name: "web search of which nothing is known",
      item: { type: "web_search_call", id: "ws_4", status: "completed" },
    },
    {
      name: "file search",
      item: {
        type: "file_search_call",
        id: "fs_1",
        status: "completed",
        queries: ["prices"],
        results: [{ file_id: "file_1", filename: "prices.md", score: 0.9, text: "Two euros." }],
      },
      text: `File search: \`prices\`\n\nprices.md:\n\n${fence("Two euros.")}`,
    },
    {
      name: "code interpreter",
      item: {
        type: "code_interpreter_call",
        id: "ci_1",
        status: "completed",
        container_id: "cntr_1",
        code: 'print("```")',
        outputs: [
          { type: "logs", logs: "```\n" },
          { type: "image", url: "https://files.example/plot.png" },
          { type: "image", url: "data:image/png;base64,iVBORw0" },
        ],
      },
      text: 'Code:\n\n````python\nprint("```")\n````\n\nOutput:\n\n````\n```\n````\n\n' +
        "- [Image](<https://files.example/plot.png>)",
    },
    {
      name: "code interpreter without outputs",
      item: {
        type: "code_interpreter_call",
        id: "ci_2",
        status: "completed",
        code: "1",
        outputs: null,
      },
      text: `Code:\n\n${fence("1", "python")}`,
    },
    {
      name: "computer action",
      item: {
        type: "computer_call",
        id: "cu_1",
        call_id: "c1",
        action: { type: "click", x: 1, y: 2 },
      },
      text: `Computer action:\n\n${fence('{"type":"click","x":1,"y":2}', "json")}`,
    },
    {
      name: "screenshot",
      item: {
        type: "computer_call_output",
        call_id: "c1",
        output: { type: "computer_screenshot", image_url: "data:image/png;base64,iVBORw0" },
      },
    },
    {
      name: "local shell",
      item: {
        type: "local_shell_call",
        id: "ls_1",
        call_id: "c2",
        action: { type: "exec", command: ["ls", "-l"], env: {} },
      },
      text: `Shell command:\n\n${fence("ls -l", "sh")}`,
    },
    {
      name: "local shell output",
      item: { type: "local_shell_call_output", id: "c2", output: "total 0\n" },
      text: `Shell output:\n\n${fence("total 0")}`,
    },
    {
      name: "shell",
      item: {
        type: "shell_call",
        id: "sh_1",
        call_id: "c3",
        status: "completed",
        action: { commands: ["pwd", "false"], timeout_ms: 1000 },
      },
      text: `Shell command:\n\n${fence("pwd\nfalse", "sh")}`,
    },
    {
      name: "shell output",
      item: {
        type: "shell_call_output",
        id: "sho_1",
        call_id: "c3",
        output: [
          { stdout: "/srv\n", stderr: "", outcome: { type: "exit", exit_code: 0 } },
          { stdout: "", stderr: "no", outcome: { type: "exit", exit_code: 1 } },
          { stdout: "", stderr: "", outcome: { type: "timeout" } },
        ],
      },
      text: `Shell output:\n\n${fence("/srv")}\n\nShell errors:\n\n${fence("no")}\n\n` +
        "Exit code: 1\n\nThe command timed out.",
    },
    {
      name: "patch",
      item: {
        type: "apply_patch_call",
        id: "ap_1",
        call_id: "c4",
        status: "completed",
        operation: { type: "update_file", path: "a.ts", diff: "-a\n+b" },
      },
      text: `File changed: \`a.ts\`\n\nPatch:\n\n${fence("-a\n+b", "diff")}`,
    },
    {
      name: "patch that failed",
      item: {
        type: "apply_patch_call_output",
        call_id: "c4",
        status: "failed",
        output: "no such file",
      },
      text: `The patch failed.\n\nPatch output:\n\n${fence("no such file")}`,
    },
    {
      name: "call of an MCP server",
      item: {
        type: "mcp_call",
        id: "mcp_1",
        server_label: "shop",
        name: "price",
        arguments: '{"of":"tea"}',
        output: "2 EUR",
      },
      text: `Tool called: \`shop.price\`\n\nArguments:\n\n${fence('{"of":"tea"}', "json")}\n\n` +
        `Output:\n\n${fence("2 EUR")}`,
    },
    {
      name: "call of an MCP server that failed, in a string",
      item: {
        type: "mcp_call",
        id: "mcp_2",
        server_label: "shop",
        name: "price",
        arguments: "",
        error: "out",
      },
      text: `Tool called: \`shop.price\`\n\nError:\n\n${fence("out")}`,
    },
    ...[
      [{ type: "mcp_protocol_error", code: -32603, message: "broken" }, 'broken\n{"code":-32603}'],
      [{
        type: "mcp_tool_execution_error",
        content: [{ type: "text", text: "no tea" }, { type: "text", text: "at all" }],
      }, "no tea\nat all"],
      [{ type: "future_error", detail: 1 }, '{"type":"future_error","detail":1}'],
    ].map(([error, said]) => ({
      name: `call of an MCP server that failed, in an object: ${said}`,
      item: {
        type: "mcp_call",
        id: "mcp_3",
        server_label: "shop",
        name: "price",
        arguments: "",
        error,
      },
      text: `Tool called: \`shop.price\`\n\nError:\n\n${fence(String(said))}`,
    })),
    {
      name: "tools of an MCP server",
      item: { type: "mcp_list_tools", id: "mcpl_1", server_label: "shop", tools: [] },
    },
    {
      name: "approval requested",
      item: {
        type: "mcp_approval_request",
        id: "mcpr_1",
        server_label: "shop",
        name: "buy",
        arguments: "{}",
      },
      text: `Approval requested for the tool: \`shop.buy\`\n\nArguments:\n\n${fence("{}", "json")}`,
    },
    {
      name: "approval refused",
      item: {
        type: "mcp_approval_response",
        approval_request_id: "mcpr_1",
        approve: false,
        reason: "Too dear",
      },
      text: "Not approved. Too dear",
    },
    {
      name: "image that was not made",
      item: { type: "image_generation_call", id: "ig_1", status: "failed", result: null },
    },
    {
      name: "program",
      item: { type: "program", id: "prog_1", call_id: "c5", code: "await f()", fingerprint: "x" },
      text: `Code:\n\n${fence("await f()", "javascript")}`,
    },
    {
      name: "program output",
      item: { type: "program_output", id: "po_1", call_id: "c5", result: "1", status: "completed" },
      text: `Output:\n\n${fence("1")}`,
    },
    { name: "search of tools", item: { type: "tool_search_call", call_id: "c6", arguments: {} } },
    { name: "item of unknown type", item: { type: "novelty", id: "n_1", text: "new" } },
  ],
  messages: [
    {
      name: "web search",
      item: {
        type: "server_tool_use",
        id: "srvtoolu_1",
        name: "web_search",
        input: { query: "deno" },
      },
      text: "Web search: `deno`",
    },
    {
      name: "web search results",
      item: {
        type: "web_search_tool_result",
        tool_use_id: "srvtoolu_1",
        content: [
          {
            type: "web_search_result",
            url: "https://deno.com/",
            title: "Deno [home]",
            encrypted_content: "EtY",
          },
          { type: "web_search_result", url: "javascript:alert(1)", title: "No page" },
        ],
      },
      text: "- [Deno \\[home\\]](<https://deno.com/>)",
    },
    {
      name: "web search that failed",
      item: {
        type: "web_search_tool_result",
        tool_use_id: "srvtoolu_1",
        content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
      },
      text: "Web search failed: max_uses_exceeded",
    },
    {
      name: "page to open",
      item: {
        type: "server_tool_use",
        id: "srvtoolu_2",
        name: "web_fetch",
        input: { url: "https://deno.com/" },
      },
      text: "Page opened: <https://deno.com/>",
    },
    {
      name: "page opened",
      item: {
        type: "web_fetch_tool_result",
        tool_use_id: "srvtoolu_2",
        content: {
          type: "web_fetch_result",
          url: "https://deno.com/",
          content: {
            type: "document",
            title: "Deno",
            source: { type: "text", media_type: "text/plain", data: "Hello" },
          },
        },
      },
      text: `- [Deno](<https://deno.com/>)\n\nContent:\n\n${fence("Hello")}`,
    },
    {
      name: "page that did not open",
      item: {
        type: "web_fetch_tool_result",
        tool_use_id: "srvtoolu_2",
        content: { type: "web_fetch_tool_result_error", error_code: "url_not_accessible" },
      },
      text: "Opening the page failed: url_not_accessible",
    },
    {
      name: "code",
      item: {
        type: "server_tool_use",
        id: "srvtoolu_3",
        name: "code_execution",
        input: { code: "print(1)" },
      },
      text: `Code:\n\n${fence("print(1)", "python")}`,
    },
    {
      name: "code that ran",
      item: {
        type: "code_execution_tool_result",
        tool_use_id: "srvtoolu_3",
        content: {
          type: "code_execution_result",
          stdout: "1\n",
          stderr: "",
          return_code: 0,
          content: [],
        },
      },
      text: `Output:\n\n${fence("1")}`,
    },
    {
      name: "command",
      item: {
        type: "server_tool_use",
        id: "srvtoolu_4",
        name: "bash_code_execution",
        input: { command: "ls" },
      },
      text: `Shell command:\n\n${fence("ls", "sh")}`,
    },
    {
      name: "command that failed",
      item: {
        type: "bash_code_execution_tool_result",
        tool_use_id: "srvtoolu_4",
        content: {
          type: "bash_code_execution_result",
          stdout: "",
          stderr: "no",
          return_code: 2,
          content: [],
        },
      },
      text: `Errors:\n\n${fence("no")}\n\nExit code: 2`,
    },
    {
      name: "command that could not run",
      item: {
        type: "bash_code_execution_tool_result",
        tool_use_id: "srvtoolu_4",
        content: { type: "bash_code_execution_tool_result_error", error_code: "unavailable" },
      },
      text: "Command failed: unavailable",
    },
    {
      name: "change of a file",
      item: {
        type: "server_tool_use",
        id: "srvtoolu_5",
        name: "text_editor_code_execution",
        input: { command: "str_replace", path: "a.ts", old_str: "a", new_str: "b" },
      },
      text: `File changed: \`a.ts\`\n\nText replaced:\n\n${fence("a")}\n\nNew text:\n\n${
        fence("b")
      }`,
    },
    {
      name: "file that was read",
      item: {
        type: "text_editor_code_execution_tool_result",
        tool_use_id: "srvtoolu_5",
        content: {
          type: "text_editor_code_execution_view_result",
          file_type: "text",
          content: "a = 1",
        },
      },
      text: `Content:\n\n${fence("a = 1")}`,
    },
    {
      name: "file that was changed",
      item: {
        type: "text_editor_code_execution_tool_result",
        tool_use_id: "srvtoolu_5",
        content: { type: "text_editor_code_execution_str_replace_result", lines: ["-a", "+b"] },
      },
      text: `Change:\n\n${fence("-a\n+b", "diff")}`,
    },
    {
      name: "file that was not there",
      item: {
        type: "text_editor_code_execution_tool_result",
        tool_use_id: "srvtoolu_5",
        content: {
          type: "text_editor_code_execution_tool_result_error",
          error_code: "file_not_found",
          error_message: "No a.ts",
        },
      },
      text: "Editing the file failed: file_not_found. No a.ts",
    },
    {
      name: "tool of an unknown name",
      item: { type: "server_tool_use", id: "srvtoolu_6", name: "novelty", input: { a: 1 } },
      text: `Tool called: \`novelty\`\n\nArguments:\n\n${fence('{"a":1}', "json")}`,
    },
    {
      name: "call of an MCP server",
      item: {
        type: "mcp_tool_use",
        id: "mcptoolu_1",
        server_name: "shop",
        name: "price",
        input: { of: "tea" },
      },
      text: `Tool called: \`shop.price\`\n\nArguments:\n\n${fence('{"of":"tea"}', "json")}`,
    },
    {
      name: "result of an MCP server",
      item: {
        type: "mcp_tool_result",
        tool_use_id: "mcptoolu_1",
        is_error: false,
        content: [{ type: "text", text: "2 EUR" }],
      },
      text: `Output:\n\n${fence("2 EUR")}`,
    },
    {
      name: "failure of an MCP server",
      item: {
        type: "mcp_tool_result",
        tool_use_id: "mcptoolu_1",
        is_error: true,
        content: "out of tea",
      },
      text: `Error:\n\n${fence("out of tea")}`,
    },
    {
      name: "search of tools",
      item: {
        type: "server_tool_use",
        id: "srvtoolu_7",
        name: "tool_search_tool_regex",
        input: { pattern: ".*" },
      },
    },
    {
      name: "advice",
      item: {
        type: "advisor_tool_result",
        tool_use_id: "srvtoolu_8",
        content: { type: "advisor_result", text: "Test first." },
      },
      text: `Advice:\n\n${fence("Test first.")}`,
    },
    { name: "file in a container", item: { type: "container_upload", file_id: "file_1" } },
    {
      name: "change of the model",
      item: { type: "fallback", from: { model: "a" }, to: { model: "b" } },
    },
    { name: "block of unknown type", item: { type: "novelty", text: "new" } },
  ],
  "generate-content": [
    {
      name: "code",
      item: { executableCode: { language: "PYTHON", code: "print(1)" } },
      text: `Code:\n\n${fence("print(1)", "python")}`,
    },
    {
      name: "code that ran",
      item: { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1\n" } },
      text: `Output:\n\n${fence("1")}`,
    },
    {
      name: "code that failed",
      item: { codeExecutionResult: { outcome: "OUTCOME_FAILED", output: "NameError" } },
      text: `The code failed.\n\nOutput:\n\n${fence("NameError")}`,
    },
    {
      name: "search",
      item: { toolCall: { id: "t", toolType: "GOOGLE_SEARCH_WEB", args: { queries: ["deno"] } } },
      text: "Web search: `deno`",
    },
    {
      name: "search suggestions",
      item: {
        toolResponse: {
          id: "t",
          toolType: "GOOGLE_SEARCH_WEB",
          response: { search_suggestions: "<div>" },
        },
      },
    },
    {
      name: "tool of the server",
      item: { toolCall: { id: "t", toolType: "URL_CONTEXT", args: { urls: ["https://a"] } } },
      text: `Tool called: \`URL_CONTEXT\`\n\nArguments:\n\n${
        fence('{"urls":["https://a"]}', "json")
      }`,
    },
    { name: "part of unknown kind", item: { novelty: { text: "new" } } },
  ],
  "chat-completions": [
    {
      name: "part of unknown type with a text",
      item: { type: "novelty", text: "new" },
      text: "new",
    },
    { name: "part of unknown type without one", item: { type: "novelty", data: 1 } },
  ],
};
