import { assertEquals, assertStringIncludes } from "@std/assert";
import { createModel, getModel, listAuditEntries } from "../../lib/store/mod.ts";
import { administrator, assertRedirect, nowMs, testConsole, textOf } from "./console.ts";

const path = "/console/admin/prices";
const form = {
  model: "house-model",
  input: "2.50",
  output: "10",
  cachedInput: "0,25",
  cacheWrite: "",
  request: "",
};

testConsole("prices: one is set, changed, shown and written down", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(administrator);
  assertStringIncludes(textOf((await browser.get(path)).html), "tessera-echo Catalog");
  assertRedirect(await browser.post(path, form), `${path}?done=saved`);
  assertEquals((await getModel(store, "house-model"))?.price, {
    input: 2.5,
    output: 10,
    cachedInput: 0.25,
  });
  const page = textOf((await browser.get(`${path}?done=saved`)).html);
  assertStringIncludes(page, "house-model Own $2.50 $10.00 $0.25 — —");
  console.clock.nowMs += 1;
  await browser.post(path, { ...form, output: "0" });
  const [entry] = (await listAuditEntries(store, { limit: 1 })).entries;
  assertEquals([entry.kind, entry.targetName], ["model", "house-model"]);
  assertEquals(entry.changes, [{ field: "outputPrice", before: "$10", after: "$0" }]);
});

for (
  const [field, value, fault] of [
    ["model", "gpt-*", "Enter a model&#39;s name"],
    ["input", "", "Enter an amount in USD such as 2.50"],
    ["output", "-1", "Enter an amount in USD such as 2.50"],
    ["request", "x", "Enter an amount in USD such as 2.50"],
  ] as const
) {
  testConsole(`prices: ${field} ${JSON.stringify(value)} will not do`, async (console) => {
    const browser = await console.signedIn(administrator);
    const answer = await browser.post(path, { ...form, [field]: value });
    assertEquals(answer.status, 422);
    assertStringIncludes(textOf(answer.html), fault.replace("&#39;", "'"));
    assertEquals(await getModel(console.store, form.model), undefined);
    assertEquals((await listAuditEntries(console.store, { limit: 1 })).entries, []);
  });
}

testConsole("prices: what the configuration declares is not changed here", async (console) => {
  const { store } = console;
  const price = { input: 1, output: 2 };
  await createModel(store, { id: form.model, price, createdAtMs: nowMs, origin: "config" });
  const browser = await console.signedIn(administrator);
  const answer = await browser.post(path, form);
  assertEquals(answer.status, 422);
  assertStringIncludes(textOf(answer.html), "The configuration file declares this model");
  assertEquals((await getModel(store, form.model))?.price, price);
});
