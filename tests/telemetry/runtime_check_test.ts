import { assert, assertEquals } from "@std/assert";
import { RuntimeCheck } from "../../lib/telemetry/mod.ts";
import { testedDeno } from "../../lib/telemetry/runtime_check.ts";
import { needed } from "./deno/checks.ts";

for (const { name, run } of needed) {
  Deno.test(`Deno ${Deno.version.deno}: ${name}`, async () => assert(await run()));
}

const root = new URL("../../", import.meta.url);

Deno.test("Deno: the README, CI and the container recipe name the tested version alone", async () => {
  const pages = ["run-on-a-server", "install-with-systemd"].map((page) => `docs/how-to/${page}.md`);
  for (const path of ["README.md", ".ci/run", "Dockerfile", ...pages]) {
    const text = await Deno.readTextFile(new URL(path, root));
    const versions = [...text.matchAll(/deno(?:@|:|:distroless-)(\d+\.\d+\.\d+)/g)].map((
      [, version],
    ) => version);
    assertEquals(new Set(versions), new Set([testedDeno]), path);
  }
});

Deno.test("RuntimeCheck: a sound Deno has no fault", async () => {
  const check = new RuntimeCheck();
  await check.run();
  assertEquals(check.fault, undefined);
});

Deno.test("RuntimeCheck: a Deno that never notices a disconnect names the command to run", async () => {
  const check = new RuntimeCheck(() => Promise.resolve(false));
  await check.run();
  assertEquals(check.fault, {
    deno: Deno.version.deno,
    command: `npx -y deno@${testedDeno} task start`,
  });
});

Deno.test("RuntimeCheck: one slow answer of a busy machine is no fault", async () => {
  const answers = [false, true];
  const check = new RuntimeCheck(() => Promise.resolve(answers.shift() === true));
  await check.run();
  assertEquals([check.fault, answers], [undefined, []]);
});

Deno.test("RuntimeCheck: a platform that lets nobody listen is not checked", async () => {
  const check = new RuntimeCheck(() => Promise.reject(new Deno.errors.NotCapable("net")));
  await check.run();
  assertEquals(check.fault, undefined);
});
