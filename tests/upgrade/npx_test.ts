import { assertEquals, assertMatch } from "@std/assert";
import { version } from "../../lib/version.ts";
import { packNpm } from "../../tools/release.ts";
import { packageName } from "../../tools/release/npm_package.ts";
import { canRun } from "../can_run.ts";
import { readBlocks } from "../docs/blocks.ts";
import { freePort } from "../e2e/server_process.ts";
import { startNpmRegistry } from "./npm_registry.ts";
import { assertKept, enroll, type Enrolled, run, serving, type Shell } from "./shell.ts";
import { administrator, assertInLog } from "./visitor.ts";

/**
 * Takes the steps of `docs/how-to/upgrade.md` for `npx` with the packed release and a next one that
 * differs in its number, from a registry of the test's own.
 */
const page = "docs/how-to/upgrade.md";
const next = "99.0.0";
const block = (await readBlocks()).find((block) =>
  block.page === page && block.note?.includes("npx_test")
);
const [backUp = "", upgrade = ""] = block?.code.replaceAll("@0.1.0", `@${version}`)
  .replaceAll("@0.2.0", `@${next}`).split("# stop the gateway, then:\n") ?? [];

const reachesNpm = await canRun("npm", ["ping", "--fetch-timeout=10000", "--fetch-retries=0"]);
if (!reachesNpm) console.log("npm is not reachable: an upgrade by npx is not tried");

Deno.test({
  name: `${page}: npx keeps every call, key and session through the upgrade and the rollback`,
  ignore: !reachesNpm,
  fn: async () => {
    const folder = await Deno.realPath(await Deno.makeTempDir());
    try {
      const others = await run({ folder, env: {} }, "npm config get registry");
      const tarballs = await packReleases(folder);
      await using registry = startNpmRegistry(packageName, tarballs, others.trim());
      await Deno.mkdir(`${folder}/user`);
      await takeSteps({
        folder: `${folder}/user`,
        env: {
          ...administrator,
          ...{ PORT: `${freePort()}`, NO_COLOR: "1", TESSERA_KV: "", TESSERA_SECRET: "" },
          npm_config_registry: registry.url,
          npm_config_cache: `${folder}/cache`,
          npm_config_yes: "true", // a terminal asks
        },
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

/** Packs the release, and the next one. Returns the paths of their tarballs. */
async function packReleases(folder: string): Promise<Record<string, string>> {
  const tarball = await packNpm(folder);
  const packed = { [version]: tarball, [next]: `${folder}/${packageName}-${next}.tgz` };
  await run(
    { folder, env: {} },
    `tar -xzf ${tarball}
sed -i 's/"version": "${version}"/"version": "${next}"/' package/package.json
npm pack --silent ./package`,
  );
  return packed;
}

async function takeSteps(user: Shell): Promise<void> {
  let enrolled: Enrolled | undefined;
  await serving(user, `npx ${packageName}@${version}`, async (base, printed) => {
    enrolled = await enroll(base, printed);
    await run(user, backUp);
  });
  for (const release of [next, version]) {
    await serving(user, upgrade.trim().replace(next, release), async (base) => {
      const stated = await run(user, `npx ${packageName}@${release} --version`);
      assertEquals(stated.trim(), release);
      if (enrolled) await assertKept(base, enrolled);
    });
  }
  assertEquals(enrolled?.calls.length, 3);
  assertMatch(await run(user, `npx ${packageName} audit`), /^3 calls, 0 differences/);
  await run(user, `npx ${packageName} restore tessera-0.1.0.db`);
  await serving(
    user,
    `npx ${packageName}`,
    (base) => assertInLog(base, enrolled?.cookie ?? "", enrolled?.calls.slice(0, 1) ?? []),
  );
}
