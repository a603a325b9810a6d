import { assert, assertEquals } from "@std/assert";
import { later } from "../../waiting.ts";
import { withStoreFolder } from "../money/place.ts";
import { startServer } from "../server_process.ts";
import { cpuTimeOf, isLinux } from "./process_cpu.ts";

/** The console is loaded, the file of the store checked, and the intervals have paused. */
const settledMs = 14_000;
const watchedMs = 10_000;
const cpuMsMax = 100;

Deno.test({
  name: "an idle gateway needs less than 1% of a core and does not write to its store",
  ignore: !isLinux,
  fn: () =>
    withStoreFolder(async (folder) => {
      const server = await startServer(folder);
      await later(settledMs);
      const { pid } = server.process;
      const before = { cpuMs: await cpuTimeOf(pid), files: await changesIn(folder) };
      await later(watchedMs);
      const cpuMs = await cpuTimeOf(pid) - before.cpuMs;
      const files = await changesIn(folder);
      await server.stop();
      assertEquals(files, before.files);
      assert(cpuMs < cpuMsMax, `${cpuMs} ms of CPU time in ${watchedMs} ms`);
    }),
});

/** The time of the last change of each file. */
async function changesIn(folder: string): Promise<Record<string, number | undefined>> {
  const names = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile)
    .map(({ name }) => name).sort();
  const stats = await Promise.all(names.map((name) => Deno.stat(`${folder}/${name}`)));
  return Object.fromEntries(stats.map(({ mtime }, at) => [names[at], mtime?.getTime()]));
}
