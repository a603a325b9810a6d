import { assertEquals } from "@std/assert";
import { canRun } from "../can_run.ts";

const root = new URL("../..", import.meta.url).pathname;
const read = (path: string) => Deno.readTextFileSync(`${root}${path}`);

/** `tests/e2e/start/image_test.ts` starts both, and compares the flags of the process that serves. */
Deno.test("Dockerfile, tessera.service: both compute their permissions at each start, as deno task start does", () => {
  const { tasks } = JSON.parse(read("deno.json"));
  const manual = tasks.start.replaceAll("deno run ", "deno run --node-modules-dir=manual ");
  assertEquals(tasks["start:installed"], manual);
  const [, image = ""] = /^CMD (.*)$/m.exec(read("Dockerfile")) ?? [];
  const [, unit = ""] = /^ExecStart=(.*)$/m.exec(read("tessera.service")) ?? [];
  const command = ["task", "--quiet", "start:installed"];
  assertEquals([JSON.parse(image), unit.split(" ").slice(1)], [command, command]);
});

const analyzer = "systemd-analyze";
const hasSystemd = await canRun(analyzer);
if (!hasSystemd) console.log(`No ${analyzer} found: the unit is not verified`);

Deno.test({
  name: "tessera.service: systemd finds no fault, and rates its exposure below 2",
  ignore: !hasSystemd,
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const unit = `${folder}/tessera.service`;
    const text = read("tessera.service")
      .replace("/usr/local/bin/deno", Deno.execPath())
      .replace("/opt/tessera", folder);
    await Deno.writeTextFile(unit, text);
    const ran = async (...args: string[]) => {
      const output = await new Deno.Command(analyzer, { args: [...args, unit] }).output();
      const said = new TextDecoder().decode(output.stdout) +
        new TextDecoder().decode(output.stderr);
      return { ...output, said };
    };
    const verified = await ran("verify");
    const rated = await ran("security", "--offline=true", "--threshold=20");
    await Deno.remove(folder, { recursive: true });
    assertEquals([verified.success, verified.said], [true, ""]);
    assertEquals([rated.success, rated.success ? "" : rated.said], [true, ""]);
  },
});
