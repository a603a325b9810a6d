import { assertEquals, assertMatch } from "@std/assert";
import { canRun } from "../can_run.ts";
import { readBlocks, root } from "../docs/blocks.ts";
import { freePort } from "../e2e/server_process.ts";
import { assertKept, enroll, type Enrolled, run, serving, type Shell } from "./shell.ts";
import { administrator, assertInLog } from "./visitor.ts";

/**
 * Takes the steps of `docs/how-to/upgrade.md` in clones of the last commit: to a release with a
 * commit more, and back.
 */
const page = "docs/how-to/upgrade.md";
const blocks = (await readBlocks()).filter((block) => block.page === page);
const [backUp, replace] = blocks.filter(({ note }) => note?.includes("takes these steps"))
  .map(({ code }) => code);
const swap = blocks.find(({ note }) => note?.includes("swaps such folders"))?.code ?? "";

const reachesNpm = await canRun("npm", ["ping", "--fetch-timeout=10000", "--fetch-retries=0"]);
const canClone = await canRun("git", ["-C", root.pathname, "rev-parse", "HEAD"]) && reachesNpm;
if (!canClone) {
  console.log(
    "No repository of git, or npm is not reachable: the steps of an upgrade are not tried",
  );
}

/** A repository with the last commit as v0.1.0, and a commit more as v0.2.0. */
async function makeReleases(shell: Shell): Promise<void> {
  await run(
    shell,
    `git clone -q ${root.pathname} repository
cd repository
git config user.name tests && git config user.email tests@example.com
git tag -f v0.1.0
sed -i -E 's/"version": "[^"]+"/"version": "0.2.0"/' deno.json
git commit -qam 'Release 0.2.0' --allow-empty
git tag -f v0.2.0
cd .. && git clone -q --branch v0.1.0 repository tessera`,
  );
}

async function withShell(test: (shell: Shell) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${folder}/bin`);
  await Deno.symlink(Deno.execPath(), `${folder}/bin/deno`);
  const env = {
    ...administrator,
    ...{ PORT: `${freePort()}`, NO_COLOR: "1", TESSERA_KV: "", TESSERA_SECRET: "" },
    PATH: `${folder}/bin:${Deno.env.get("PATH")}`,
  };
  try {
    await makeReleases({ folder, env });
    await test({ folder, env });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Fails unless the clone is at the tag. */
const demandAt = (clone: Shell, tag: string) =>
  run(clone, `test "$(git rev-parse HEAD)" = "$(git rev-parse ${tag})"`);

Deno.test({
  name: `${page}: a clone keeps every call, key and session through the upgrade and the rollback`,
  ignore: !canClone,
  fn: () =>
    withShell(async ({ folder, env }) => {
      const clone = { folder: `${folder}/tessera`, env };
      let user: Enrolled | undefined;
      await serving(clone, "deno task start", async (base, printed) => {
        user = await enroll(base, printed);
        await run(clone, backUp);
      });
      for (const version of ["0.2.0", "0.1.0"]) {
        await serving(clone, replace.replace("v0.2.0", `v${version}`), async (base) => {
          await demandAt(clone, `v${version}`);
          if (user) await assertKept(base, user);
          assertMatch(await run(clone, "deno task doctor"), /ok +store: .*tessera\.db has/);
        });
      }
      assertEquals(user?.calls.length, 3);
      await run(clone, "deno task audit && deno task restore ../tessera-0.1.0.db");
      await serving(clone, "deno task start", (base) =>
        assertInLog(base, user?.cookie ?? "", user?.calls.slice(0, 1) ?? []));
    }),
});

Deno.test({
  name: `${page}: folders that are swapped keep what is in a store outside of them`,
  ignore: !canClone,
  fn: () =>
    withShell(async ({ folder, env }) => {
      const opt = { folder, env: { ...env, TESSERA_KV: `${folder}/data/tessera.db` } };
      const tessera = { ...opt, folder: `${folder}/tessera` };
      await run(tessera, "deno install --quiet && deno task build");
      let user: Enrolled | undefined;
      const [before, after] = swap.replaceAll("/opt", folder).replace("REPOSITORY", "repository")
        .split("systemctl stop tessera\n");
      await serving(tessera, "deno task start:installed", async (base, printed) => {
        user = await enroll(base, printed);
        await run(opt, before);
      });
      await run(opt, after.replace("systemctl start tessera", ""));
      await demandAt(tessera, "v0.2.0");
      await serving(tessera, "deno task start:installed", async (base) => {
        if (user) await assertKept(base, user);
        assertEquals(user?.calls.length, 2);
      });
    }),
});
