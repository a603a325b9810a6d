import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { installedCommand } from "../../../tools/agents.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { type Model, startStrict, strictCredential } from "../../strict/mod.ts";
import { startGateway } from "../gateway.ts";
import { agents } from "./agents.ts";
import { runAgent } from "./run_agent.ts";

/**
 * Codex with a provider named `OpenAI` asks the server to compact its history, once a response
 * states more tokens than nine tenths of the model's window.
 */

const codex = agents.find(({ name }) => name === "Codex");
const command = installedCommand("codex");
if (command === undefined) console.log("Codex is not installed: run deno task agents");

const task = "Find out the number in note.txt and tell me.";
const fact = "fact-note-4711";

function isSummary(text: string): boolean {
  return text.includes("Answer with the summary alone.");
}

/** Reads the note, with a prompt that fills the window; summarizes; and then answers no more. */
function firstModel(read: Model): { readonly model: Model; readonly asked: () => number } {
  let summaries = 0;
  const model: Model = (prompt, voice, asked) => {
    if (isSummary(prompt.text)) {
      summaries++;
      const found = JSON.stringify(asked.body).match(/fact-note-\d+/)?.[0];
      return { calls: [], hangs: false, text: `The note says ${found}.` };
    }
    if (summaries > 0) return { calls: [], hangs: false, fail: 503 };
    return { ...read(prompt, voice, asked), inputTokens: 250_000 };
  };
  return { model, asked: () => summaries };
}

/** Goes on from the summary. */
const secondModel: Model = (_prompt, _voice, { body }) => ({
  calls: [],
  hangs: false,
  text: `I know ${JSON.stringify(body).match(/fact-note-\d+/)?.[0]}.`,
});

Deno.test({
  name: "agents: Codex compacts over messages and goes on over generate-content",
  ignore: command === undefined,
  fn: async () => {
    assert(codex && command !== undefined);
    const home = await Deno.makeTempDir({ prefix: "tessera-agent-" });
    const folder = `${home}/work`;
    for (const path of [folder, `${home}/tmp`, `${home}/.codex`]) await Deno.mkdir(path);
    await Deno.writeTextFile(`${folder}/note.txt`, `${fact}\n`);
    const read: Model = ({ answered }) => {
      const calls = answered === 0 ? [codex.hands.read(`${folder}/note.txt`)] : [];
      return { calls, hangs: false, text: "I read the note." };
    };
    const scripted = firstModel(read);
    await using first = startStrict("messages", { model: scripted.model });
    await using second = startStrict("generate-content", { model: secondModel });
    const models = (upstreamModel: string) => [{ id: codex.model, upstreamModel }];
    await using gateway = await startGateway({
      upstreams: [
        {
          id: "first",
          endpoints: { messages: first.base },
          apiKeys: [strictCredential],
          models: models("claude-opus-5"),
          priority: 1,
        },
        {
          id: "second",
          endpoints: { "generate-content": second.base },
          apiKeys: [strictCredential],
          models: models("gemini-2.5-flash"),
        },
      ],
      models: [{ id: codex.model, price: { input: 1, output: 1 } }],
    });
    const { base, key } = gateway;
    const { env, files } = codex.settings({ base, key, model: codex.model });
    const named = files[".codex/config.toml"].replace('name = "Tessera"', 'name = "OpenAI"');
    await Deno.writeTextFile(`${home}/.codex/config.toml`, named);
    const finished = await runAgent({
      command,
      args: codex.args(task),
      env: { ...codex.quiet, ...env },
      home,
      folder,
      timeoutMs: 120_000,
    });
    const { code, stdout, stderr, timedOut } = finished;
    assert(!timedOut, `${stdout} ${stderr}`);
    assertEquals(code, 0, `${stdout} ${stderr}`);
    assertStringIncludes(stdout, `I know ${fact}.`);
    assertEquals(scripted.asked(), 1);
    assertEquals(first.seen.flatMap(({ refusals }) => refusals), []);
    assertEquals(second.seen.flatMap(({ refusals }) => refusals), []);
    assertContinued(first.seen[0].body, second.seen[0].body);
    const { rows } = await listRequestLogs(gateway.parts.store, { limit: 20 });
    const compacted = rows.filter(({ costLines = [] }) =>
      costLines.some(({ part }) => part === "compaction")
    );
    assertEquals(compacted.length, 1);
    await removeFolder(home);
  },
});

/** The base prompt and the task are there still; the call and its result are not. */
function assertContinued(before: JsonObject, after: JsonObject): void {
  const rules = JSON.stringify(before.system).slice(40, 240);
  const sent = JSON.stringify(after);
  for (const kept of [task, fact, rules.replaceAll('\\"', '"').slice(40, 100)]) {
    assertStringIncludes(sent.replaceAll('\\"', '"'), kept);
  }
  assert(!sent.includes("functionResponse"));
}
