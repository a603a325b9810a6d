import { assertEquals, assertStringIncludes } from "@std/assert";
import { type ClientId, settingOf } from "../../lib/console/connect/clients.ts";
import { isPythonInstalled, python } from "../../tools/python.ts";
import { canRun } from "../can_run.ts";
import { removeFolder } from "../store/temp_store.ts";
import { startGateway } from "./gateway.ts";

const model = "tessera-echo";
const root = new URL("../..", import.meta.url).pathname;

/** The connect page's TypeScript snippets, run unchanged. */
const inTypeScript: readonly ClientId[] = [
  "openai-typescript",
  "anthropic-typescript",
  "google-genai",
];

for (const id of inTypeScript) {
  Deno.test(`snippet: ${id} runs unchanged`, () => {
    const args = ["run", "-A", "--no-check", "--config", `${root}tests/deno.json`];
    return assertRuns(id, { suffix: ".ts", command: Deno.execPath(), args });
  });
}

/** The same for Python, where `deno task sdks:python` has installed its SDKs. */
const inPython: readonly ClientId[] = ["openai-python", "anthropic-python", "google-genai-python"];
const hasPython = await isPythonInstalled();
if (!hasPython) console.log("The SDKs of Python are not installed: their snippets are not run");

for (const id of inPython) {
  Deno.test({
    name: `snippet: ${id} runs unchanged`,
    ignore: !hasPython,
    fn: () => assertRuns(id, { suffix: ".py", command: python, args: [] }),
  });
}

const hasCurl = await canRun("curl");
if (!hasCurl) console.log("No curl found: its snippet is not run");

Deno.test({
  name: "snippet: curl runs unchanged",
  ignore: Deno.build.os === "windows" || !hasCurl,
  fn: async () => {
    await using gateway = await startGateway();
    const { base: origin, key } = gateway;
    const text = settingOf("curl", { origin, model, key }).replace("curl ", "curl -s ");
    const { code, stdout } = await new Deno.Command("sh", { args: ["-c", text] }).output();
    assertEquals(code, 0);
    const answer = JSON.parse(new TextDecoder().decode(stdout));
    assertStringIncludes(answer.choices[0].message.content, "hello");
  },
});

interface Runner {
  readonly suffix: string;
  readonly command: string;
  readonly args: readonly string[];
}

async function assertRuns(id: ClientId, { suffix, command, args }: Runner): Promise<void> {
  await using gateway = await startGateway();
  const { base: origin, key } = gateway;
  const folder = await Deno.makeTempDir(); // Python imports from beside the file first
  const file = `${folder}/snippet${suffix}`;
  await Deno.writeTextFile(file, settingOf(id, { origin, model, key }));
  const running = new Deno.Command(command, { args: [...args, file] });
  const { code, stdout, stderr } = await running.output();
  await removeFolder(folder);
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assertEquals(code, 0, said);
  assertStringIncludes(said, "hello");
}
