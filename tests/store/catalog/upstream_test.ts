import { assert, assertEquals } from "@std/assert";
import {
  createUpstream,
  getUpstream,
  servesGroup,
  updateUpstream,
} from "../../../lib/store/catalog/mod.ts";
import { keys } from "../../../lib/store/keys.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { sampleUpstream } from "../samples.ts";
import { testOnStores, withTempFolder } from "../temp_store.ts";

testOnStores("upstream: no credential lies in the store in the plain", async (store) => {
  await createUpstream(store, sampleUpstream());
  const { value } = await store.kv.get(keys.upstream("acme"));
  assert(!JSON.stringify(value).includes("acme-secret"));
  assertEquals((await getUpstream(store, "acme"))?.credentials, ["acme-secret"]);
});

Deno.test("upstream: under another secret it is shown with its fault, and its credentials are kept", async () => {
  await withTempFolder(async (folder) => {
    const location = { type: "file", path: `${folder}/t.db` } as const;
    const first = await openStore({ location, secret: "one" });
    await createUpstream(first, sampleUpstream());
    first.close();

    const second = await openStore({ location, secret: "two" });
    const faulty = await getUpstream(second, "acme");
    assertEquals(faulty?.credentials, []);
    assert(faulty?.credentialsFault?.includes("another TESSERA_SECRET"));
    await updateUpstream(second, "acme", (upstream) => ({ ...upstream, weight: 7 }));
    second.close();

    const third = await openStore({ location, secret: "one" });
    const healed = await getUpstream(third, "acme");
    assertEquals([healed?.credentials, healed?.weight], [["acme-secret"], 7]);
    assertEquals(healed?.credentialsFault, undefined);
    third.close();
  });
});

Deno.test("servesGroup admits the group's id and *", () => {
  assert(servesGroup(sampleUpstream({ groups: ["*"] }), "vip"));
  assert(servesGroup(sampleUpstream({ groups: ["a", "vip"] }), "vip"));
  assert(!servesGroup(sampleUpstream({ groups: ["a"] }), "vip"));
});
