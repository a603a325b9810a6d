import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  addUpstream,
  changeUpstream,
  type EnteredUpstream,
} from "../../lib/console/save_upstream.ts";
import { createUpstream, getUpstream, openStore, type Role } from "../../lib/store/mod.ts";
import { sampleUpstream, sampleUser } from "../store/samples.ts";

const addresses = { allowsPrivate: false, allowsLoopback: true };

function entered(fields: Partial<EnteredUpstream> = {}): EnteredUpstream {
  const { origin: _, ...upstream } = sampleUpstream({
    endpoints: { messages: "http://127.0.0.1:8000" },
    ...fields,
  });
  return upstream;
}

const person = (role: Role, enabled = true) => sampleUser({ role, enabled });

async function withStore(
  run: (
    place: { store: Awaited<ReturnType<typeof openStore>>; addresses: typeof addresses },
  ) => Promise<void>,
): Promise<void> {
  const store = await openStore({ location: { type: "memory" } });
  await run({ store, addresses });
  store.close();
}

for (
  const { who, user } of [
    { who: "a member", user: person("member") },
    { who: "a disabled administrator", user: person("administrator", false) },
  ]
) {
  Deno.test(`an upstream's base URL is not set by ${who}`, () =>
    withStore(async (place) => {
      const refused = await addUpstream(place, user, entered());
      assertEquals(refused.type, "forbidden");
      assertEquals(await getUpstream(place.store, "acme"), undefined);
      await createUpstream(place.store, sampleUpstream());
      const moved = await changeUpstream(place, user, entered());
      assertEquals(moved.type, "forbidden");
      const kept = await getUpstream(place.store, "acme");
      assertEquals(kept?.endpoints, sampleUpstream().endpoints);
    }));
}

Deno.test("an administrator's upstream is saved as the console's, and its key stays when none is entered", () =>
  withStore(async (place) => {
    const administrator = person("administrator");
    assertEquals(await addUpstream(place, administrator, entered()), { type: "saved" });
    const again = await addUpstream(place, administrator, entered());
    assertEquals(again.type === "invalid" && again.field, "id");
    const changed = await changeUpstream(
      place,
      administrator,
      entered({ weight: 5, credentials: [] }),
    );
    assertEquals(changed, { type: "saved" });
    const found = await getUpstream(place.store, "acme");
    assertEquals([found?.origin, found?.weight, found?.credentials], [
      "console",
      5,
      ["acme-secret"],
    ]);
    const missing = await changeUpstream(place, administrator, entered({ id: "other" }));
    assertEquals(missing.type, "not-changed");
  }));

Deno.test("an upstream of the configuration is not changed in the console", () =>
  withStore(async (place) => {
    await createUpstream(place.store, sampleUpstream({ origin: "config" }));
    const result = await changeUpstream(place, person("administrator"), entered());
    assertEquals(result.type, "not-changed");
  }));

for (
  const url of [
    "http://10.0.0.1/v1",
    "http://169.254.169.254",
    "https://u:p@1.1.1.1",
    "file:///etc",
  ]
) {
  Deno.test(`an upstream at ${url} is not saved, by nobody`, () =>
    withStore(async (place) => {
      const endpoints = { messages: "http://127.0.0.1:8000", "chat-completions": url };
      for (const save of [addUpstream, changeUpstream]) {
        const result = await save(place, person("administrator"), entered({ endpoints }));
        assertEquals(result.type === "invalid" && result.field, "chat-completions");
        assertStringIncludes(JSON.stringify(result), "Cannot use");
      }
      assertEquals(await getUpstream(place.store, "acme"), undefined);
    }));
}
