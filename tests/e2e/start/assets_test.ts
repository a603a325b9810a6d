import { assert, assertEquals } from "@std/assert";
import { iconNames } from "../../../components/icon_names.ts";

const root = new URL("../../../", import.meta.url);

Deno.test("assets: the sprite in static/ holds every icon in use, as the package draws it", async () => {
  const kept = await Deno.readTextFile(new URL("static/icons.svg", root));
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "--cwd", "tools/assets", "check"],
    cwd: root,
  }).output();
  assert(success, `${new TextDecoder().decode(stderr)}\nrun deno task --cwd tools/assets copy`);
  assertEquals(kept.match(/<symbol /g)?.length, iconNames.length);
});
