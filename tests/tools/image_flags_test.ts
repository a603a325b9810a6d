import { assertEquals } from "@std/assert";
import { canRun } from "../can_run.ts";
import { permissionFlags } from "../../tools/permissions.ts";
import { runtimeFlags } from "../../tools/runtime_flags.ts";

const root = new URL("../..", import.meta.url).pathname;
const read = (path: string) => Deno.readTextFileSync(`${root}${path}`);

Deno.test("Dockerfile: the image starts with the permissions of deno task start", () => {
  const [, command = ""] = /^CMD (.*)$/m.exec(read("Dockerfile")) ?? [];
  const env = { TESSERA_KV: "/data/tessera.db", TESSERA_CONFIG: "/config" };
  assertEquals(JSON.parse(command), ["run", ...flagsFor(env), "main.ts"]);
});

Deno.test("tessera.service: the unit starts with the permissions of deno task start", () => {
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(read("tessera.service")) ?? [];
  const env = { TESSERA_KV: "/var/lib/tessera/tessera.db", TESSERA_CONFIG: "/etc/tessera" };
  assertEquals(command.split(" ").slice(1), ["run", ...flagsFor(env), "main.ts"]);
});

/** The process has an environment of its own there, which it may read. */
function flagsFor(env: Record<string, string>): string[] {
  const flags = permissionFlags(env).filter((flag) => flag !== "--ignore-env");
  return [...flags, ...runtimeFlags, "--node-modules-dir=manual"].map((flag) =>
    flag.startsWith("--allow-env=") ? "--allow-env" : flag
  );
}

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
