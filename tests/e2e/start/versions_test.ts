import { assert, assertEquals, assertMatch } from "@std/assert";
import { keys } from "../../../lib/store/keys.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { withTempFolder } from "../../store/temp_store.ts";
import { contentOf, creditOf, secret } from "../../store/version_store.ts";

const root = new URL("../../../", import.meta.url).pathname;
/** Before and after the change of V8's serialization in Deno 2.8, and the latest. */
const versions = ["2.7.14", "2.8.0", "2.8.2", "2.9.6"];
const paths = await pathsOf(versions);

/** The executables of the versions that npm has. */
async function pathsOf(versions: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const version of versions) {
    const path = version === Deno.version.deno ? Deno.execPath() : await pathOf(version);
    if (path !== undefined) found.set(version, path);
    else console.log(`deno@${version} is not available: its stores are not tested`);
  }
  return found;
}

async function pathOf(version: string): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("npx", {
      args: ["-y", `deno@${version}`, "eval", "console.log(Deno.execPath())"],
      signal: AbortSignal.timeout(120_000),
      stderr: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch {
    return undefined;
  }
}

/** With the packages that are installed: other versions may not reach the registry. */
const flags = ["-A", "--quiet", "--no-check", "--no-lock", "--node-modules-dir=manual"];

async function run(deno: string, args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await new Deno.Command(deno, {
    args: ["run", ...flags, "--config", `${root}tests/deno.json`, ...args],
    env: { NO_COLOR: "1", ...env },
    signal: AbortSignal.timeout(60_000),
  }).output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

const program = `${root}tests/store/version_store.ts`;

/** Starts the gateway, which refuses the store. */
async function refusal(deno: string, path: string): Promise<string> {
  const env = { PORT: "0", TESSERA_KV: path, TESSERA_SECRET: secret };
  const { code, stderr } = await run(deno, [`${root}main.ts`], env);
  assertEquals(code, 1, stderr);
  return stderr;
}

async function contentAt(path: string): Promise<string> {
  const store = await openStore({ location: { type: "file", path }, secret });
  const content = await contentOf(store);
  store.close();
  return content;
}

Deno.test({
  name: "a store that one version of Deno filled is read and changed by each other",
  ignore: paths.size < 2,
  fn: () =>
    withTempFolder(async (folder) => {
      const stores = [...paths].map(([version]) => `${folder}/${version}/tessera.db`);
      for (const [at, deno] of [...paths.values()].entries()) {
        const { code, stderr } = await run(deno, [program, "fill", stores[at]]);
        assertEquals(code, 0, stderr);
      }
      const expected = await Promise.all(stores.map(contentAt));
      for (const [version, deno] of paths) {
        const { code, stdout, stderr } = await run(deno, [program, "read", ...stores]);
        assertEquals(code, 0, stderr);
        assert(stdout.trim() === expected.join("\n"), `${version} reads something else`);
      }
      for (const path of stores) {
        const store = await openStore({ location: { type: "file", path }, secret });
        assertEquals(await creditOf(store), 5_000_000_000n + BigInt(paths.size));
        store.close();
      }
    }),
});

Deno.test("a start refuses a store of another format in one line", () =>
  withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const store = await openStore({ location: { type: "file", path }, secret });
    await store.kv.set(keys.format, new Deno.KvU64(6n));
    store.close();
    assertMatch(
      await refusal(Deno.execPath(), path),
      /^Cannot open the store .*tessera\.db: it has format 6, this release reads format 1\. Export it .*\n$/,
    );
  }));
