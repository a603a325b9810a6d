import type { JsonObject } from "../../../lib/canonical/mod.ts";
import type { ToolCall } from "../../strict/small_model.ts";
import type { Agent } from "./agent.ts";
import { openCode } from "./open_code.ts";

const claudeCode: Agent = {
  name: "Claude Code",
  package: "claude-code",
  format: "messages",
  model: "claude-opus-5",
  thinks: true,
  settings: ({ base, key, model }) => ({
    env: {
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: model,
      CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: "1",
      CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1",
    },
    files: {},
  }),
  quiet: {
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1", // else it refuses to skip its questions where the user is root
  },
  args: (prompt) => ["--print", "--dangerously-skip-permissions", prompt],
  hands: {
    read: (path) => call("Read", { file_path: path }),
    write: (path, content) => call("Write", { file_path: path, content }),
    run: (command) => call("Bash", { command, description: "Runs a command" }),
  },
};

/** With a model whose request lists its tools; `apply_patch` takes a text of its own grammar. */
const codex: Agent = {
  name: "Codex",
  package: "codex",
  format: "responses",
  model: "gpt-5.5",
  thinks: true,
  settings: ({ base, key, model }) => ({
    env: { TESSERA_API_KEY: key },
    files: {
      ".codex/config.toml": `model = "${model}"
model_provider = "tessera"

[model_providers.tessera]
name = "Tessera"
base_url = "${base}/v1"
env_key = "TESSERA_API_KEY"
wire_api = "responses"
`,
    },
  }),
  quiet: {},
  args: (prompt) => [
    "exec",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    prompt,
  ],
  hands: {
    read: (path) => call("exec_command", { cmd: `cat ${path}` }),
    write: (path, content) => said("apply_patch", patch(path, content)),
    run: (command) => call("exec_command", { cmd: command }),
  },
};

/** With its own provider at another address, which it calls on a WebSocket. */
const codexOfItsOwnProvider: Agent = {
  ...codex,
  name: "Codex, own provider",
  usesSocket: true,
  settings: ({ base, key, model }) => ({
    env: { CODEX_API_KEY: key },
    files: {
      ".codex/config.toml": `model = "${model}"\nopenai_base_url = "${base}/v1"\n`,
    },
  }),
};

/** With a newer model: an input item lists its tools; one runs a program that calls the others. */
const codexOfNewerModels: Agent = {
  ...codex,
  name: "Codex, code mode",
  model: "gpt-6-sol",
  hands: {
    read: (path) => program("exec_command", { cmd: `cat ${path}` }),
    write: (path, content) => program("apply_patch", patch(path, content)),
    run: (command) => program("exec_command", { cmd: command }),
  },
};

const geminiModel = "gemini-3.1-pro-preview";

const geminiCli: Agent = {
  name: "Gemini CLI",
  package: "gemini-cli",
  format: "generate-content",
  model: geminiModel,
  thinks: true,
  settings: ({ base, key }) => ({
    env: { GOOGLE_GEMINI_BASE_URL: base, GEMINI_API_KEY: key },
    files: {
      // with a base URL and without this it takes a way of signing in that it then calls invalid
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
      }),
    },
  }),
  quiet: { GEMINI_TELEMETRY_ENABLED: "false" },
  args: (prompt) => ["--model", geminiModel, "--skip-trust", "--yolo", "--prompt", prompt],
  hands: {
    read: (path) => call("read_file", { file_path: path }),
    write: (path, content) => call("write_file", { file_path: path, content }),
    run: (command) => call("run_shell_command", { command }),
  },
};

export const agents: readonly Agent[] = [
  claudeCode,
  codex,
  codexOfItsOwnProvider,
  codexOfNewerModels,
  geminiCli,
  ...openCode,
];

function call(name: string, args: JsonObject): ToolCall {
  return { name, args };
}

function said(name: string, input: string): ToolCall {
  return { name, args: {}, input };
}

/** Codex's `exec` runs JavaScript, for which its other tools are functions. */
function program(tool: string, argument: JsonObject | string): ToolCall {
  return said("exec", `text(await tools.${tool}(${JSON.stringify(argument)}));\n`);
}

/** The patch by which Codex writes a file. */
function patch(path: string, content: string): string {
  const lines = content.replace(/\n$/, "").split("\n").map((line) => `+${line}`);
  return ["*** Begin Patch", `*** Add File: ${path}`, ...lines, "*** End Patch", ""].join("\n");
}
