import { assertEquals } from "@std/assert";
import { createBatch } from "../../../lib/funds/mod.ts";
import { createAuditEntry } from "../../../lib/store/audit/mod.ts";
import { createUpstream } from "../../../lib/store/catalog/mod.ts";
import { postEntry } from "../../../lib/store/money/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { sampleAudit } from "../../store/samples.ts";
import { type TestConsole, testConsole, withRowsMax } from "../console.ts";
import { administrator, nowMs, user } from "../people.ts";
import { addCall, addKey } from "../records.ts";
import { sample, withGateway } from "../upstreams/upstream_scene.ts";

const rowsMax = 3;

/** Each list that has pages, and what makes five rows of it. */
const lists: Readonly<Record<string, (console: TestConsole, n: number) => Promise<unknown>>> = {
  "/console/log": ({ store }, n) => addCall(store, { id: `req_${n}` }),
  "/console/token": ({ store }, n) => addKey(store, { id: `key_${n}`, name: `key-${n}` }),
  "/console/topup": ({ store }, n) =>
    postEntry(store, {
      atMs: nowMs,
      accountId: "owner",
      type: "grant",
      changeNanoUsd: 1_000_000_000n,
      reason: "x",
      actor: "owner",
      idempotencyKey: String(n),
    }),
  "/console/admin/audit": ({ store }) => createAuditEntry(store, sampleAudit),
  "/console/admin/upstreams": ({ store }, n) => createUpstream(store, sample({ id: `up-${n}` })),
  "/console/admin/users": ({ store }, n) =>
    createUser(store, user({ id: `usr_${n}`, email: `person-${n}@example.com` })),
};

for (const [path, add] of Object.entries(lists)) {
  testConsole(`${path} shows no more rows than the configuration says`, async (console) => {
    withGateway(console);
    withRowsMax(rowsMax);
    for (let n = 0; n < 5; n++) await add(console, n);
    const { html } = await (await console.signedIn(administrator)).get(path);
    assertEquals(rowsIn(html), rowsMax);
  });
}

testConsole("the codes of a batch keep to it too", async (console) => {
  withRowsMax(rowsMax);
  const draft = { name: "x", amountNanoUsd: 1_000_000_000n, count: 5, usesMax: 1 };
  const made = await createBatch(console.store, administrator, draft, { nowMs, codesMax: 5 });
  const id = made.type === "created" ? made.batch.id : "";
  const { html } = await (await console.signedIn(administrator)).get(`/console/admin/codes/${id}`);
  assertEquals(rowsIn(html), rowsMax);
});

/** The last table of a page is its list. */
function rowsIn(html: string): number | undefined {
  return html.split("<tbody").at(-1)?.split("</tbody")[0].match(/<tr/g)?.length;
}
