import { assertEquals, assertMatch } from "@std/assert";
import { withTempFolder } from "../store/temp_store.ts";
import { runTask } from "./run_task.ts";

const tasks = [
  { script: "audit.ts", task: "audit", wrong: ["extra"] },
  { script: "compact.ts", task: "compact", wrong: ["extra"] },
  { script: "password.ts", task: "password", wrong: [] },
  { script: "funds.ts", before: ["grant"], task: "grant", wrong: ["a@b.example"] },
  { script: "funds.ts", before: ["codes"], task: "codes", wrong: [] },
];

for (const { script, before = [], task, wrong } of tasks) {
  Deno.test(`deno task ${task}: reads its arguments before it opens a store`, () =>
    withTempFolder(async (folder) => {
      const run = (args: readonly string[]) =>
        runTask(script, [...before, ...args], { TESSERA_KV: `${folder}/store/tessera.db` });
      const help = await run(["--help"]);
      assertEquals([help.code, help.stderr], [0, ""]);
      assertMatch(help.stdout, new RegExp(`^Usage: deno task ${task}`));
      const bogus = await run([...wrong, "--bogus"]);
      assertEquals(bogus.code, 1);
      assertMatch(bogus.stderr, new RegExp(`^Unknown option --bogus. Usage: deno task ${task}`));
      const other = await run(wrong);
      assertEquals(other.code, 1);
      assertMatch(other.stderr, new RegExp(`^Usage: deno task ${task}`));
      assertEquals([...Deno.readDirSync(folder)], []);
    }));
}
