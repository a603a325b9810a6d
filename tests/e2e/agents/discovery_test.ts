import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { type AgentId, installedCommand } from "../../../tools/agents.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { startStrict, strictCredential } from "../../strict/mod.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
import { type Finished, runAgent } from "./run_agent.ts";

/** Unmodified agents discover the models of a gateway, and call one that they do not know. */

const foreign = "acme-large";
const known = "gemini-3-pro-preview"; // a foreign model with facts in the gateway's catalog
const names = [foreign, known, "claude-opus-5"];
const runMsMax = 90_000;

interface Run {
  readonly finished: Finished;
  readonly home: string;
  /** The requests that reached the gateway, and the status of each answer. */
  readonly asked: readonly {
    readonly path: string;
    readonly status: number;
    readonly body: JsonObject;
  }[];
}

interface Setup {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Texts by their path in the home. */
  readonly files?: Readonly<Record<string, string>>;
}

async function run(
  id: AgentId,
  setup: (base: string, home: string) => Setup | Promise<Setup>,
  check: (run: Run) => void | Promise<void>,
): Promise<void> {
  await using upstream = startStrict("chat-completions", {});
  const models = names.map((name) => ({ id: name, upstreamModel: "gpt-5.1" }));
  await using gateway = await startGateway(
    oneUpstream({ "chat-completions": upstream.base }, { apiKeys: [strictCredential], models }),
  );
  const asked: Run["asked"][number][] = [];
  await using watcher = startUpstream(async ({ path, headers, body }) => {
    const isRead = body === "";
    const sent = new Headers(headers);
    for (const name of ["host", "content-length"]) sent.delete(name);
    const response = await fetch(gateway.base + path, {
      method: isRead ? (path === "/api/hello" ? "HEAD" : "GET") : "POST",
      headers: sent,
      ...(!isRead && { body }),
    });
    asked.push({ path, status: response.status, body: isRead ? {} : JSON.parse(body) });
    return response;
  });
  const home = await Deno.makeTempDir({ prefix: "tessera-agent-" });
  for (const path of [`${home}/work`, `${home}/tmp`]) await Deno.mkdir(path);
  const { args, env, files = {} } = await setup(watcher.base, home);
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(`${home}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${home}/${path}`, text);
  }
  const command = installedCommand(id) ?? "";
  const folder = `${home}/work`;
  const finished = await runAgent({ command, args, env, home, folder, timeoutMs: runMsMax });
  assertEquals([finished.code, finished.timedOut], [0, false], finished.stderr);
  assertEquals(upstream.seen.flatMap(({ refusals }) => refusals), []);
  await check({ finished, home, asked });
  await removeFolder(home);
}

const keyFromVariable = 'env_key = "TESSERA_API_KEY"';

function codexConfig(
  base: string,
  { top = "", provider = "", key = keyFromVariable },
): string {
  return `model = "${known}"
model_provider = "tessera"
${top}
[features]
api_key_model_discovery = true

[model_providers.tessera]
name = "Tessera"
base_url = "${base}/v1"
${key}
wire_api = "responses"
${provider}`;
}

const codexArgs = [
  "exec",
  "--skip-git-repo-check",
  "--dangerously-bypass-approvals-and-sandbox",
  "Say hi",
];

/** It takes its tools, its effort and its prompt from the model's entry. */
function assertEntryUsed({ finished, asked }: Run): void {
  assert(!/fallback model metadata|metadata for .* not found/i.test(finished.stderr));
  const turn = asked.find(({ path }) => path === "/v1/responses");
  assertEquals([turn?.status, (turn?.body.reasoning as JsonObject).effort], [200, "medium"]);
  const tools = turn?.body.tools as readonly JsonObject[];
  assert(tools.some(({ name }) => name === "apply_patch"), JSON.stringify(tools));
  assertStringIncludes(JSON.stringify(turn?.body.input), "You are a coding agent in the user's");
}

function testAgent(name: string, id: AgentId, test: () => Promise<void>): void {
  const ignore = installedCommand(id) === undefined;
  if (ignore) console.log(`${id} is not installed: run deno task agents`);
  Deno.test({ name: `agents: ${name}`, ignore, fn: test });
}

testAgent("Codex reads the catalogue at its address", "codex", async () => {
  await run("codex", (base) => ({
    args: codexArgs,
    env: { TESSERA_API_KEY: testKey },
    files: {
      ".codex/config.toml": codexConfig(base, {
        provider: `model_catalog_url = "${base}/v1/models"\n`,
      }),
    },
  }), async (run) => {
    assertEquals(run.asked[0].path, "/v1/models?client_version=0.171.0");
    assertEntryUsed(run);
    const cache = await Deno.readTextFile(`${run.home}/.codex/models_cache.json`);
    const slugs = JSON.parse(cache).models.map(({ slug }: { slug: string }) => slug);
    assertEquals(slugs.toSorted(), names.toSorted());
  });
});

testAgent("Codex reads the catalogue from a file", "codex", async () => {
  await run("codex", async (base, home) => {
    const response = await fetch(`${base}/v1/models?client_version=0`, {
      headers: { authorization: `Bearer ${testKey}` },
    });
    const top = `model_catalog_json = "${home}/models.json"\n`;
    return {
      args: codexArgs,
      env: { TESSERA_API_KEY: testKey },
      files: {
        "models.json": await response.text(),
        ".codex/config.toml": codexConfig(base, { top }),
      },
    };
  }, assertEntryUsed);
});

testAgent("Codex gets its key from a command", "codex", async () => {
  await run("codex", (base, home) => {
    const auth = `[model_providers.tessera.auth]\ncommand = "cat"\nargs = ["${home}/key"]\n`;
    const config = codexConfig(base, { key: "", provider: auth });
    return { args: codexArgs, env: {}, files: { key: testKey, ".codex/config.toml": config } };
  }, ({ asked }) => {
    const turn = asked.find(({ path }) => path === "/v1/responses");
    assertEquals(turn?.status, 200);
  });
});

testAgent("Claude Code gets its key from a command", "claude-code", async () => {
  await run("claude-code", (base, home) => ({
    args: ["--print", "--dangerously-skip-permissions", "Say hi"],
    env: {
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_MODEL: "claude-opus-5",
      DISABLE_AUTOUPDATER: "1",
      IS_SANDBOX: "1",
    },
    files: {
      key: testKey,
      ".claude/settings.json": JSON.stringify({ apiKeyHelper: `cat ${home}/key` }),
    },
  }), ({ asked }) => {
    const turn = asked.find(({ path }) => path.startsWith("/v1/messages?"));
    assertEquals(turn?.status, 200);
  });
});

testAgent("Claude Code lists every model, and calls one by its alias", "claude-code", async () => {
  await run("claude-code", (base) => ({
    args: ["--print", "--debug", "--dangerously-skip-permissions", "Say hi"],
    env: {
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_AUTH_TOKEN: testKey,
      ANTHROPIC_MODEL: `claude-gw/${known}`,
      CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: "1",
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: "300000",
      DISABLE_AUTOUPDATER: "1",
      IS_SANDBOX: "1",
    },
  }), async ({ asked, home }) => {
    const cache = await Deno.readTextFile(`${home}/.claude/cache/gateway-models.json`);
    const ids = JSON.parse(cache).models.map(({ id }: { id: string }) => id);
    assertEquals(
      ids.toSorted(),
      ["claude-gw/acme-large", `claude-gw/${known}`, "claude-opus-5"],
    );
    const turn = asked.find(({ path }) => path.startsWith("/v1/messages?"));
    assertEquals([turn?.status, turn?.body.model], [200, `claude-gw/${known}`]);
    let log = "";
    for await (const { name } of Deno.readDir(`${home}/.claude/debug`)) {
      log += await Deno.readTextFile(`${home}/.claude/debug/${name}`);
    }
    assertStringIncludes(log, "effectiveWindow=280000"); // the stated window, less room for the answer
  });
});
