import { assertEquals, assertRejects } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { isPythonInstalled, pythonSdkVersions } from "../../../tools/python.ts";
import { isInstalled, sdkVersions } from "../../../tools/sdks.ts";
import { assertKept, type Pair, stageOf, startPair } from "./pair.ts";
import { type ProgramClient, startProgram } from "./program_client.ts";
import { type ProgramRecord, programs } from "./programs.ts";
import { pythonPrograms } from "./python_programs.ts";
import type { Scenario } from "./scenario.ts";
import { scenariosOf } from "./scenarios.ts";

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
  Deno.test({
    name: `sdk ${record.name}`,
    ignore: !installed[record.language],
    fn: async (test) => {
      await using client = startProgram(record);
      for (const format of formatNames) await performOn(test, record, client, format);
    },
  });
}

/** Performs all scenarios on the upstream of a format, in steps. */
async function performOn(
  test: Deno.TestContext,
  record: ProgramRecord,
  client: ProgramClient,
  format: FormatName,
): Promise<void> {
  await using lasting = await startPair(client, format);
  const key = `${record.name} → ${format}`;
  for (const scenario of passedBy(record, format)) {
    await test.step(`${key}: ${scenario.name}`, async () => {
      if (scenario.alone && record.language === "TypeScript") {
        await performAlone(scenario, record, format);
      } else await perform(scenario, lasting);
      passed.set(key, (passed.get(key) ?? 0) + 1);
    });
  }
  for (const scenario of lackedBy(record, format)) {
    await test.step(`${key}: it still lacks “${scenario.name}”`, async () => {
      await assertRejects(() => performAlone(scenario, record, format));
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
      return `${passed.get(`${record.name} → ${to}`) ?? 0}/${passedBy(record, to).length}`;
    });
    line(`${record.name}  ${versionsOf[record.language](record.packages)}`, cells);
    const reasons = Object.entries(record.lacks);
    for (const [name, reason] of reasons) console.log(`    without “${name}”: ${reason}`);
    if (!installed[record.language]) continue;
    assertEquals(cells.filter((cell) => !/^(\d+)\/\1$/.test(cell)), [], record.name);
  }
});

async function perform({ run, spoils }: Scenario, lasting: Pair): Promise<void> {
  forget(lasting);
  await using own = spoils ? await startPair(lasting.client, lasting.format) : undefined;
  const pair = own ?? lasting;
  await run(stageOf(pair));
  assertKept(pair);
}

/**
 * With a program and upstreams of its own: some SDKs of TypeScript end their program where a stream
 * ends early.
 */
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

function passedBy(record: ProgramRecord, format: FormatName): readonly Scenario[] {
  const lacked = lackedBy(record, format);
  return scenariosOf(record, format, { vendorsOwn: false }).filter((one) => !lacked.includes(one));
}

function lackedBy(record: ProgramRecord, format: FormatName): readonly Scenario[] {
  return scenariosOf(record, format, { vendorsOwn: false })
    .filter((one) => isLacking(one, record, format));
}

function isLacking({ name }: Scenario, { lacks }: ProgramRecord, format: FormatName): boolean {
  return name in lacks || `${name} → ${format}` in lacks;
}
