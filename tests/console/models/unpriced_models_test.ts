import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createUpstream, updateGroup } from "../../../lib/store/catalog/mod.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";
import { sample } from "../upstreams/upstream_scene.ts";

testConsole(
  "models: one without a price is shown to administrators, and to who may call it",
  async (console) => {
    const { store, directory } = console;
    await createUpstream(store, sample({ models: [{ id: "gpt-5" }, { id: "house-model" }] }));
    await updateGroup(store, "default", (group) => ({ ...group, allowUnpriced: false }));
    await directory.refresh();
    const [owner, other] = [await console.signedIn(administrator), await console.signedIn(member)];
    const told = await owner.get("/console/pricing");
    assertStringIncludes(textOf(told.html), "Not set");
    assertStringIncludes(told.html, "/console/pricing/model?name=house-model&amp;set=price");
    const hidden = textOf((await other.get("/console/pricing")).html);
    assertStringIncludes(hidden, "gpt-5");
    assert(!hidden.includes("house-model"));
    await updateGroup(store, "default", (group) => ({ ...group, allowUnpriced: true }));
    await directory.refresh();
    const shown = textOf((await other.get("/console/pricing")).html);
    assertStringIncludes(shown, "house-model");
    assert(!shown.includes("Set price"));
  },
);

testConsole("models: an alias costs what the upstream's name does", async (console) => {
  const { store, directory } = console;
  const models = [{ id: "fast", upstreamModel: "gpt-5-mini" }];
  await createUpstream(store, sample({ models }));
  await directory.refresh();
  const browser = await console.signedIn(member);
  assertStringIncludes(
    textOf((await browser.get("/console/pricing")).html),
    "$0.25 $2.00",
  );
  const page = await browser.get("/console/pricing/model?name=fast");
  assertEquals(page.status, 200);
  assertStringIncludes(textOf(page.html), "$0.25");
});
