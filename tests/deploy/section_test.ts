import { assert, assertEquals } from "@std/assert";

/** The `deploy` section of deno.json: documentation and JSON schema of Deno Deploy differ. */

interface Section {
  readonly install: string;
  readonly build: string;
  readonly runtime: { readonly entrypoint: string };
}

const root = new URL("../../", import.meta.url);
const { deploy, tasks }: { deploy: Section; tasks: Record<string, string> } = JSON.parse(
  await Deno.readTextFile(new URL("deno.json", root)),
);

Deno.test("the deploy section has only the fields on which documentation and schema agree", () => {
  assertEquals(Object.keys(deploy), ["install", "build", "runtime"]);
  assertEquals(Object.keys(deploy.runtime), ["entrypoint"]);
});

Deno.test("the deploy section names a file and a task that exist", async () => {
  assert((await Deno.stat(new URL(deploy.runtime.entrypoint, root))).isFile);
  assert(Object.hasOwn(tasks, deploy.build.replace("deno task ", "")));
});
