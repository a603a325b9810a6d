import { assert, assertEquals, assertMatch } from "@std/assert";
import { canRun } from "../../can_run.ts";
import { until } from "../../waiting.ts";
import { freePort } from "../server_process.ts";

/**
 * Takes each step of the `Dockerfile` by hand in a folder: copies what `.dockerignore` admits, runs
 * `RUN`, copies into the second stage, and starts `CMD` as another user in a tree that it cannot
 * write. No container engine is needed, but npm is.
 */

const root = new URL("../../..", import.meta.url).pathname;
const dockerfile = await Deno.readTextFile(`${root}Dockerfile`);
const user = "65532";

const reachesNpm = await isReachable("https://registry.npmjs.org/uqr");
if (!reachesNpm) console.log("npm is not reachable: the steps of the Dockerfile are not tried");
/** Only root can start a process as another user. */
const asUser = Deno.uid() === 0 && await canRun("setpriv")
  ? ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"]
  : undefined;
if (asUser === undefined) console.log("Not root: the image's user is not tried");

async function isReachable(url: string): Promise<boolean> {
  try {
    const { ok, body } = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
}

/** The image's folders by their paths in it, inside the test's folder. */
function placed(text: string, folder: string): string {
  return text.replaceAll(/(?<![\w.])\/(app|data|deno-dir|config)\b/g, `${folder}/$1`)
    .replaceAll("/bin/deno", Deno.execPath());
}

function instruction(name: string): string {
  const joined = dockerfile.replaceAll("\\\n", "");
  return new RegExp(`^${name} (.*)$`, "m").exec(joined)?.[1] ?? "";
}

/** The context that Docker would send: every admitted path that is there. */
async function copyContext(folder: string): Promise<string[]> {
  const rules = (await Deno.readTextFile(`${root}.dockerignore`)).split("\n");
  const admitted = rules.filter((rule) => rule.startsWith("!")).map((rule) => rule.slice(1));
  for (const path of admitted) {
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await run("cp", ["-r", `${root}${path}`, `${folder}/${path}`]);
  }
  return admitted;
}

async function run(
  command: string,
  args: readonly string[],
  options: Deno.CommandOptions = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    ...options,
    args: [...args],
  })
    .output();
  const [out, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert(success, `${command} ${args.join(" ")}: ${said}`);
  return out;
}

Deno.test({
  name: "Dockerfile: every step works, nothing else is in the image, and its user can start it",
  ignore: !reachesNpm,
  fn: async () => {
    const folder = await Deno.realPath(await Deno.makeTempDir());
    try {
      await Deno.chmod(folder, 0o755);
      await copyContext(`${folder}/app`);
      await build(folder);
      await assertContents(folder);
      await assertServes(folder, {});
      await Deno.writeTextFile(`${folder}/app/app.ts`, "// a byte more\n", { append: true });
      const said = await assertServes(folder, {});
      if (asUser) assertMatch(said, /"level":"warn","message":"The console was built from other/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

/** The first stage, with a cache of its own and `deno` on the path. */
async function build(folder: string): Promise<void> {
  const bin = `${folder}/bin`;
  await Deno.mkdir(bin);
  await Deno.symlink(Deno.execPath(), `${bin}/deno`);
  await run("sh", ["-ec", placed(instruction("RUN"), folder)], {
    cwd: `${folder}/app`,
    env: { DENO_DIR: `${folder}/deno-dir`, PATH: `${bin}:${Deno.env.get("PATH")}` },
  });
  if (asUser) await run("chown", [`${user}:${user}`, `${folder}/data`]);
}

const mebibyte = 1024;

async function assertContents(folder: string): Promise<void> {
  const app = `${folder}/app`;
  const names = [...Deno.readDirSync(app)].map(({ name }) => name).sort();
  assertEquals(names, [
    ...[
      "LICENSE",
      "README.md",
      "_fresh",
      "app.ts",
      "cli",
      "cli.ts",
      "components",
      "config.schema.json",
    ],
    ...["deno.json", "deno.lock", "docs", "islands", "jsr", "lib", "main.ts", "node_modules"],
    ...["routes", "serve.ts", "static", "tools"],
  ]);
  const files = (await run("find", [app, "-path", `${app}/node_modules`, "-prune", "-o", "-print"]))
    .split("\n").map((path) => path.slice(app.length));
  const secrets = /(^|\/)(\.git|\.env|data|tests|secret)(\/|$)|\.(db|db-wal|key|pem)$|_test\.ts$/;
  assertEquals(files.filter((path) => secrets.test(path)), []);
  const sizeOf = async (path: string) => parseInt(await run("du", ["-sk", path])) / mebibyte;
  const [packages, all, cache] = await Promise.all(
    [`${app}/node_modules`, app, `${folder}/deno-dir`].map(sizeOf),
  );
  const shown = [packages, all, cache].map((size) => `${size.toFixed(0)} MB`);
  const count = [...Deno.readDirSync(`${app}/node_modules/.deno`)]
    .filter(({ name }) => name.includes("@")).length;
  console.log(
    `In the image: /app ${shown[1]}, of it ${count} packages with ${shown[0]}; Deno's cache ${
      shown[2]
    }; in /app ${names.join(", ")}`,
  );
  assert(packages < 103, `${packages} MB of packages`);
}

/** The second stage: `CMD` with the environment of `ENV`, until `HEALTHCHECK` succeeds. */
async function assertServes(folder: string, env: Record<string, string>): Promise<string> {
  const port = freePort();
  const variables = Object.fromEntries(
    placed(instruction("ENV"), folder).split(" ").map((pair) => pair.split("=", 2)),
  );
  const options = {
    cwd: `${folder}/app`,
    clearEnv: true,
    env: {
      ...variables,
      DENO_DIR: `${folder}/deno-dir`,
      ...env,
      HOST: "127.0.0.1",
      PORT: `${port}`,
    },
  };
  const [command, ...args] = [
    ...asUser ?? [],
    Deno.execPath(),
    ...JSON.parse(placed(instruction("CMD"), folder)),
  ];
  const server = new Deno.Command(command, { args, ...options, stdout: "null", stderr: "piped" })
    .spawn();
  const said = new Response(server.stderr).text();
  const [check, ...checkArgs] = JSON.parse(
    placed(/HEALTHCHECK .*?CMD (.*)$/m.exec(dockerfile)?.[1] ?? "[]", folder),
  );
  const isHealthy = async () =>
    (await new Deno.Command(check, { args: checkArgs, ...options, stderr: "null" }).output())
      .success;
  try {
    await until(isHealthy, "the health check does not succeed", 60_000);
    const page = await fetch(`http://127.0.0.1:${port}/login`);
    await page.body?.cancel();
    assertEquals(page.status, 200);
  } catch (error) {
    server.kill("SIGKILL");
    throw new Error(await said, { cause: error });
  }
  server.kill("SIGTERM");
  assertEquals((await server.status).code, 0);
  assertEquals(await isHealthy(), false, "a stopped gateway is not healthy");
  return await said;
}
