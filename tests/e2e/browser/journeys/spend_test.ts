import { assertEquals, assertStringIncludes } from "@std/assert";
import { callIdAt } from "../../../console/calls/call_id.ts";
import { addCall, addKey } from "../../../console/records.ts";
import { signedInTest } from "../usage_pages.ts";
import { Counted } from "./counted.ts";
import { assertTarget } from "./target.ts";

const dayMs = 86_400_000;
const usd = 1_000_000_000n;

signedInTest("J4: which key spent most this week is one click away", async (page, served) => {
  const { store } = served.console;
  await addKey(store, { id: "key_1", name: "prod-api" });
  await addKey(store, { id: "key_2", name: "ci-nightly" });
  const call = { upstreamId: "acme" };
  await addCall(store, { ...call, ...callIdAt(dayMs, 1), keyId: "key_2", costNanoUsd: 5n * usd });
  await addCall(store, { ...call, ...callIdAt(dayMs, 2), keyId: "key_1", costNanoUsd: 2n * usd });
  const before = callIdAt(9 * dayMs, 3);
  await addCall(store, { ...call, ...before, keyId: "key_1", costNanoUsd: 90n * usd });
  await page.goto(`${served.origin}/console`);
  const most = () =>
    page.$eval("[aria-labelledby=keys-by-spend] tbody tr", (row) => row.textContent);
  assertStringIncludes(await most() ?? "", "prod-api");
  const person = new Counted(page);
  await person.follow('a[href^="/console?period=7d"]');
  assertStringIncludes(await most() ?? "", "ci-nightly");
  assertStringIncludes(await most() ?? "", "$5.00");
  assertTarget("J4 which key spent most this week", person);

  await person.follow("[aria-labelledby=keys-by-spend] tbody th a");
  assertEquals(new URL(page.url()).pathname, "/console/token/key_2");
});
