import { assertStringIncludes } from "@std/assert";
import { runtimeFlags } from "../../tools/runtime_flags.ts";

Deno.test("deno task start passes the runtime's flags", async () => {
  const { tasks } = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
  );
  assertStringIncludes(tasks.start, ["deno run -A", ...runtimeFlags, "main.ts"].join(" "));
});
