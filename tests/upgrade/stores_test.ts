import { assertEquals } from "@std/assert";
import { runTask } from "../tools/run_task.ts";
import { startServer } from "../e2e/server_process.ts";
import { withTempFolder } from "../store/temp_store.ts";
import { config, type Expected, secret, storesFolder, usageOf } from "./stores.ts";
import { assertInLog, call } from "./visitor.ts";

/** The releases whose stores this one opens: a store of a new format starts a new list. */
const releases = [...Deno.readDirSync(storesFolder)].map(({ name }) => name)
  .filter((name) => name.endsWith(".db.gz")).map((name) => name.slice(0, -".db.gz".length));

async function unpack(release: string, path: string): Promise<Expected> {
  const { readable } = await Deno.open(`${storesFolder}${release}.db.gz`);
  const { body } = new Response(readable.pipeThrough(new DecompressionStream("gzip")));
  if (body) await Deno.writeFile(path, body);
  return JSON.parse(await Deno.readTextFile(`${storesFolder}${release}.json`));
}

/** The IDs of the calls in the log, oldest first. */
async function loggedCalls(base: string, token: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const { data } = await (await fetch(`${base}/api/v1/calls`, { headers })).json();
  return data.map(({ id }: { readonly id: string }) => id).reverse();
}

Deno.test("upgrade: there is a store of the first release", () => {
  assertEquals(releases.includes("0.1.0"), true);
});

for (const release of releases) {
  Deno.test(`upgrade: a store of ${release} has every row, key, session and budget, and goes on`, () =>
    withTempFolder(async (folder) => {
      const path = `${folder}/tessera.db`;
      const { key, cookie, token, calls, limits } = await unpack(release, path);
      const env = { TESSERA_SECRET: secret };
      const server = await startServer(folder, { config, env });
      try {
        assertEquals((await usageOf(server.base, key)).limits, limits);
        assertEquals(await loggedCalls(server.base, token), calls);
        await assertInLog(server.base, cookie, calls);
        const later = await call(server.base, key);
        assertEquals(await loggedCalls(server.base, token), [...calls, later]);
      } finally {
        assertEquals(await server.stop(), 0);
      }
      const { code, stdout } = await runTask("audit.ts", [], { TESSERA_KV: path, ...env });
      assertEquals(code, 0, stdout);
    }));
}
