import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createUpstream, getGroup, getUpstream } from "../../../lib/store/catalog/mod.ts";
import { startUpstream } from "../../e2e/fake_upstream.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { administrator } from "../people.ts";
import { entries, form, list, sample, withGateway } from "./upstream_scene.ts";

/** As long as names of hosts with many models are. */
function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `accounts/host/models/llama-v3p1-8b-${at}`);
}

for (const count of [1_200, 5_000]) {
  testConsole(
    `upstreams: one with ${count} models is made, shown and changed by its form`,
    async (console) => {
      withGateway(console);
      const browser = await console.signedIn(administrator);
      const models = names(count).join("\n");
      assertRedirect(
        await browser.post(`${list}/new`, { ...form, models, intent: "draft" }),
        `${list}/vendor?done=draft`,
      );
      assertEquals((await getUpstream(console.store, "vendor"))?.models.length, count);
      const page = await browser.get(`${list}/vendor`);
      assertStringIncludes(page.html, `llama-v3p1-8b-${count - 1}`);
      const changed = await browser.post(`${list}/vendor`, {
        ...form,
        credentials: "",
        models: `${models}\none-more`.replace("accounts/host/models/llama-v3p1-8b-0\n", ""),
      });
      assertRedirect(changed, `${list}/vendor?done=saved`);
      const stored = await getUpstream(console.store, "vendor");
      assertEquals(stored?.models.at(-1), { id: "one-more" });
      assertEquals(stored?.models.length, count);
      assertEquals((await entries(console.store)).length, 2);
    },
  );

  testConsole(`upstreams: ${count} models of a list are imported in one go`, async (console) => {
    const own = names(count);
    await using upstream = startUpstream(() => Response.json({ data: own.map((id) => ({ id })) }));
    withGateway(console, true);
    const endpoints = { "chat-completions": `${upstream.base}/v1` };
    await createUpstream(console.store, sample({ endpoints }));
    const browser = await console.signedIn(administrator);
    const path = `${list}/vendor/import`;
    assertStringIncludes(textOf((await browser.get(path)).html), "New: ");
    const chosen = own.flatMap((name, at): [string, string][] => [
      ["use", String(at)],
      ["as." + at, ""],
      ["own." + at, name],
      ["in." + at, ""],
      ["out." + at, ""],
    ]);
    const drop: [string, string] = ["drop", "gpt-5"];
    const review = await browser.post(path, [...chosen, drop]);
    assertEquals(review.status, 200, textOf(review.html).slice(0, 500));
    const done = await browser.post(path, [...chosen, drop, ["confirm", "true"]]);
    assertRedirect(done, `${list}/vendor/models?done=imported`);
    assertEquals((await getUpstream(console.store, "vendor"))?.models.length, count);
    const served = await browser.get(`${list}/vendor/models`);
    assert(served.html.includes(`llama-v3p1-8b-${count - 1}`));
  });
}

testConsole("upstreams: one more than 5,000 models is refused in words", async (console) => {
  withGateway(console);
  const browser = await console.signedIn(administrator);
  const models = names(5_001).join("\n");
  const refused = await browser.post(`${list}/new`, { ...form, models, intent: "draft" });
  assertEquals(refused.status, 422);
  assertStringIncludes(textOf(refused.html), "at most 5,000 models");
});

testConsole("groups: one that names 1,200 models is made by its form", async (console) => {
  const browser = await console.signedIn(administrator);
  const models = names(1_200).join("\n");
  const made = await browser.post("/console/admin/groups/new", {
    id: "many",
    models,
    formats: "messages",
    ratio: "1",
  });
  assertEquals(made.status, 303, textOf(made.html).slice(0, 300));
  assertEquals((await getGroup(console.store, "many"))?.models.length, 1_200);
});
