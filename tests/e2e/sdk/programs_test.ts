import { assertEquals, assertRejects } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { isPythonInstalled, pythonSdkVersions } from "../../../tools/python_sdks.ts";
import { isInstalled, sdkVersions } from "../../../tools/sdks.ts";
import { assertKept, type Pair, stageOf, startPair } from "./pair.ts";
import { startProgram } from "./program_client.ts";
import { type ProgramRecord, programs } from "./programs.ts";
import { pythonPrograms } from "./python_programs.ts";
import { type Scenario, scenarios } from "./scenarios.ts";

/**
 * Every SDK that is built upon the vendors', and the vendors' own of Python, on every strict
 * upstream: `deno task test:sdk`. `SDK=LangChain` runs those whose name begins so; what
 * `deno task sdks` and `deno task sdks:python` have not installed is skipped with a notice.
 */
const wanted = Deno.env.get("SDK") ?? "";
const chosen = [...programs, ...pythonPrograms].filter(({ name }) => name.startsWith(wanted));
const installed = { TypeScript: await isInstalled(), Python: await isPythonInstalled() };
const versionsOf = { TypeScript: sdkVersions, Python: pythonSdkVersions };
const passed = new Map<string, number>();

if (!installed.TypeScript) console.log("The SDKs are not installed: run deno task sdks");
if (!installed.Python) {
  console.log("The SDKs of Python are not installed: run deno task sdks:python");
}

for (const record of chosen) {
  for (const format of formatNames) {
    Deno.test({
      name: `sdk ${record.name} → ${format}`,
      ignore: !installed[record.language],
      fn: async (test) => {
        await using client = startProgram(record);
        await using lasting = await startPair(client, format);
        for (const { name, run, spoils } of scenariosOf(record, format)) {
          await test.step(name, async () => {
            forget(lasting);
            await using own = spoils ? await startPair(client, format) : undefined;
            const pair = own ?? lasting;
            await run(stageOf(pair));
            assertKept(pair);
            const key = `${record.name} → ${format}`;
            passed.set(key, (passed.get(key) ?? 0) + 1);
          });
        }
        for (const scenario of scenarios.filter((one) => isLacking(one, record, format))) {
          const { name } = scenario;
          await test.step(`it still lacks “${name}”`, async () => {
            await assertRejects(
              () => performAlone(scenario, record, format),
              `it passes “${name}”`,
            );
          });
        }
      },
    });
  }
}

Deno.test("sdk: every SDK passes its scenarios on every upstream", () => {
  const width = 20;
  const line = (first: string, cells: readonly string[]) =>
    console.log(first.padEnd(58) + cells.map((cell) => cell.padEnd(width)).join(""));
  line("SDK \\ upstream", formatNames);
  for (const record of chosen) {
    const cells = formatNames.map((to) => {
      if (!installed[record.language]) return "not installed";
      return `${passed.get(`${record.name} → ${to}`) ?? 0}/${scenariosOf(record, to).length}`;
    });
    line(`${record.name}  ${versionsOf[record.language](record.packages)}`, cells);
    const reasons = Object.entries(record.lacks);
    for (const [name, reason] of reasons) console.log(`    without “${name}”: ${reason}`);
    if (!installed[record.language]) continue;
    assertEquals(cells.filter((cell) => !/^(\d+)\/\1$/.test(cell)), [], record.name);
  }
});

/** With a program and upstreams of its own: one that fails leaves answers behind that nobody reads. */
async function performAlone(
  { run }: Scenario,
  record: ProgramRecord,
  format: FormatName,
): Promise<void> {
  await using client = startProgram(record);
  await using pair = await startPair(client, format);
  await run(stageOf(pair));
  assertKept(pair);
}

/** Each scenario sees its own requests only. */
function forget({ upstreams }: Pair): void {
  for (const { seen } of Object.values(upstreams)) seen.splice(0);
}

function scenariosOf(record: ProgramRecord, format: FormatName) {
  return scenarios.filter((scenario) => !isLacking(scenario, record, format));
}

function isLacking({ name }: Scenario, { lacks }: ProgramRecord, format: FormatName): boolean {
  return name in lacks || `${name} → ${format}` in lacks;
}
