import { assert, assertEquals, assertMatch } from "@std/assert";
import { issueAdminToken } from "../../lib/accounts/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { createUser } from "../../lib/store/users/mod.ts";
import { isPythonInstalled, python } from "../../tools/python.ts";
import { administrator } from "../console/people.ts";
import { startGateway } from "../e2e/gateway.ts";
import { type Block, readBlocks, root } from "./blocks.ts";
import { checkConfiguration, checkStart, isStart } from "./environment_block.ts";
import { prepareImports, prepareStore } from "./prepared_store.ts";
import { shapeOf } from "./shape.ts";
import { openShell, type Shell } from "./shell.ts";

/** Where a page's blocks run, one after the other. */
interface Scene {
  readonly shell: Shell;
  /** The output of the last command, which an answer after it is compared with. */
  printed: string;
}

/** The way in which a block was tested: `run`, `checked` by a reader, or the reason why it was neither. */
type Result = string;

const programs = new URL("tests/e2e/sdk/programs/deno.json", root).pathname;
const hasPython = await isPythonInstalled();

const byLanguage: Readonly<
  Record<string, (block: Block, scene: Scene) => Promise<Result> | Result>
> = {
  sh: runShell,
  ts: runTypeScript,
  python: runPython,
  json: compareAnswer,
  jsonc: ({ code }) => {
    checkConfiguration(code);
    return "checked as configuration";
  },
  text: () => "text: output or a picture",
};

const usesStore = /deno task (grant|codes|audit|backup|compact|doctor|export|import|log|restore)\b/;

async function runShell({ code, note }: Block, scene: Scene): Promise<Result> {
  if (isStart(code)) {
    checkStart(code);
    return "checked as environment";
  }
  assert(!/task (test|ok|dev)\b/.test(code), "the suite would run itself");
  if (usesStore.test(code)) await prepareStore(scene.shell);
  if (/litellm\.sql|one-api\.db/.test(code)) await prepareImports(scene.shell);
  const { ok, stdout, stderr } = await scene.shell.run(code);
  const status = note?.match(/^answers (\d+)$/)?.[1];
  assert(status === undefined ? ok : !ok, `${stdout}\n${stderr}`);
  if (status !== undefined) assertMatch(stderr, new RegExp(`\\b${status}\\b`));
  scene.printed = stdout;
  return "run";
}

/** SDKs of the wider ecosystem are in Deno's cache only after `deno task sdks`. */
async function runTypeScript({ code }: Block, { shell }: Scene): Promise<Result> {
  const isWider = /from "(@ai-sdk|ai"|@langchain|@openai)/.test(code);
  const file = await Deno.makeTempFile({ dir: shell.folder, suffix: ".ts" });
  await Deno.writeTextFile(file, `import process from "node:process";\n${code}`);
  const config = isWider ? programs : new URL("tests/deno.json", root).pathname;
  const cached = isWider ? "--cached-only" : "";
  const run = `${Deno.execPath()} run -A --no-check ${cached} --config ${config} ${file}`;
  const { ok, stdout, stderr } = await shell.run(run);
  if (!ok && isWider && /not found in cache|cached-only|--cached-only/i.test(stderr)) {
    return "skipped: run deno task sdks first";
  }
  assert(ok, stderr);
  assertMatch(stdout, /hello/);
  return "run";
}

async function runPython({ code }: Block, { shell }: Scene): Promise<Result> {
  if (!hasPython) return "skipped: run deno task sdks:python first";
  const file = await Deno.makeTempFile({ dir: shell.folder, suffix: ".py" });
  await Deno.writeTextFile(file, code);
  const { ok, stdout, stderr } = await shell.run(`${python} -B ${file}`);
  assert(ok, stderr);
  assertMatch(stdout, /hello/);
  return "run";
}

function compareAnswer({ code }: Block, { printed }: Scene): Result {
  const [answer, shown] = [JSON.parse(printed), JSON.parse(code)];
  assertEquals(shapeOf(answer), shapeOf(shown));
  // The built-in model always counts the same.
  assertEquals([answer.usage, answer.input_tokens], [shown.usage, shown.input_tokens]);
  return "run: an answer of this shape";
}

/** A block that does not run says why in a comment before it; what of it can be read is read. */
function reasonOf({ language, code, note }: Block): string | undefined {
  const reason = note?.match(/^not run: (.+)$/s)?.[1];
  if (reason !== undefined && language === "json") JSON.parse(code);
  return reason && `not run: ${reason}`;
}

/** An API token with every scope. */
async function newToken(store: Store): Promise<string> {
  await createUser(store, administrator);
  const draft = { name: "docs", userId: administrator.id, scopes: ["*"] };
  return (await issueAdminToken(store, draft, { nowMs: Date.now() })).secret;
}

const results: Result[] = [];

for (const [page, blocks] of Map.groupBy(await readBlocks(), ({ page }) => page)) {
  Deno.test(`code blocks: ${page}`, async (t) => {
    await using gateway = await startGateway();
    await using shell = await openShell(gateway.base, await newToken(gateway.parts.store));
    const scene = { shell, printed: "" };
    for (const block of blocks) {
      await t.step(`${block.name} ${block.language}`, async () => {
        const test = byLanguage[block.language];
        const reason = reasonOf(block);
        assert(test || reason, "add a language, or a comment <!-- not run: reason -->");
        results.push(reason ?? await test?.(block, scene) ?? "");
      });
    }
  });
}

Deno.test("code blocks: how each was tested", () => {
  const counts = [...Map.groupBy(results, (result) => result)].map(([result, all]) => {
    return { result, count: all.length };
  });
  for (const { result, count } of counts.sort((a, b) => b.count - a.count)) {
    console.log(`${count} ${result}`);
  }
});
