import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createBatch, redeem, setBatchEnabled } from "../../../lib/funds/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import {
  getRedemptionBatch,
  listRedemptionBatches,
  redemptionCodesOf,
} from "../../../lib/store/money/mod.ts";
import { assertRedirect, type Page, testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";

const list = "/console/admin/codes";
const form = {
  name: "Spring",
  amount: "12.50",
  count: "3",
  uses: "2",
  perAccount: "",
  expiry: "2026-12-24",
};

async function makeBatch(store: Store, count: number) {
  const draft = { name: "Spring", amountNanoUsd: 5_000_000_000n, count, usesMax: 1 };
  const made = await createBatch(store, administrator, draft, { nowMs, codesMax: count });
  assert(made.type === "created");
  return made;
}

function redirected({ status, headers }: Page): { readonly location: string } {
  assertEquals(status, 303);
  return { location: headers.get("location") ?? "" };
}

async function lastEntry(store: Store) {
  return (await listAuditEntries(store, { limit: 1 })).entries[0];
}

testConsole("codes: made by a form, shown once, and worth what was asked for", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(administrator);
  assertStringIncludes(textOf((await browser.get(list)).html), "No codes yet");
  const { location } = await browser.post(`${list}/new`, form).then(redirected);
  const made = await browser.get(location);
  assertEquals(made.headers.get("cache-control"), "no-store");
  assertStringIncludes(textOf(made.html), "3 codes of Spring are ready");
  const codes = made.html.match(/<textarea[^>]*>([^<]*)/)?.[1].split("\n") ?? [];
  assertEquals(codes.length, 3);
  for (const code of codes) assertStringIncludes(made.html, `${code}%2C12.5%0D%0A`);
  const [batch] = await listRedemptionBatches(store);
  assertEquals(batch.expiresAtMs, Date.UTC(2026, 11, 25) - 1);
  assertEquals([batch.count, batch.usesMax, batch.amountNanoUsd], [3, 2, 12_500_000_000n]);
  const result = await redeem(store, { accountId: member.id, entered: codes[0] }, nowMs);
  assertEquals(result.type, "redeemed");

  const entry = await lastEntry(store);
  assertEquals(
    entry.changes.map(({ field, after }) => `${field} ${after}`),
    ["amount $12.5", "count 3", "uses 2", "expires 2026-12-24T23:59:59.999Z"],
  );
  const later = await Promise.all([list, `${list}/${batch.id}`].map((path) => browser.get(path)));
  for (const one of [JSON.stringify(entry), ...later.map(({ html }) => html)]) {
    assert(!codes.some((code) => one.includes(code)));
  }
  assertStringIncludes(
    textOf(later[0].html),
    "Spring Enabled $12.50 3 2 Dec 24, 2026 now owner@example.com",
  );
  assertStringIncludes(textOf(later[1].html), "1 of 6");
});

for (
  const [field, value, fault] of [
    ["name", " ", "Enter a name of at most 100 characters."],
    ["amount", "0", "Enter an amount such as 5 or 0.50, at most 1,000,000."],
    ["amount", "-5", "Enter an amount such as 5 or 0.50, at most 1,000,000."],
    ["count", "1.5", "Enter a whole number from 1 to 10,000."],
    ["count", "10001", "Enter a whole number from 1 to 10,000."],
    ["perAccount", "0", "Enter a whole number from 1 to 10,000, or leave this empty."],
    ["uses", "x", "Enter a whole number from 1 to 1,000,000."],
    ["expiry", "2026-11-20", "Choose a date from today on."],
    ["expiry", "tomorrow", "Choose a date from today on."],
  ] as const
) {
  testConsole(`codes: ${field} ${JSON.stringify(value)} makes none`, async (console) => {
    const browser = await console.signedIn(administrator);
    const answer = await browser.post(`${list}/new`, { ...form, [field]: value });
    assertEquals(answer.status, 422);
    assertStringIncludes(textOf(answer.html), fault);
    assertEquals(answer.html.match(/aria-invalid="true"/g)?.length, 1);
    assertEquals(await listRedemptionBatches(console.store), []);
    assertEquals(await lastEntry(console.store), undefined);
  });
}

testConsole("codes: a batch is disabled after a question, and enabled again", async (console) => {
  const { store } = console;
  const { batch: { id }, codes } = await makeBatch(store, 2);
  const browser = await console.signedIn(administrator);
  const path = `${list}/${id}`;
  assertStringIncludes(textOf((await browser.get(`${path}/enabled`)).html), "Disable Spring?");
  const answer = await browser.post(`${path}/enabled`, { enabled: "false" });
  assertRedirect(answer, `${path}?done=disabled`);
  assertEquals((await lastEntry(store)).action, "disabled");
  const refused = await redeem(store, { accountId: member.id, entered: codes[0] }, nowMs);
  assertEquals(refused.type, "refused");
  assertStringIncludes(textOf((await browser.get(path)).html), "Enable batch");
  await browser.post(`${path}/enabled`, { enabled: "true" });
  assertEquals((await getRedemptionBatch(store, id))?.enabled, true);
  assertEquals((await browser.get(`${list}/batch_nobody`)).status, 404);
  assertEquals((await browser.post(`${list}/batch_nobody/enabled`, {})).status, 404);
});

testConsole("codes: one code is disabled, and no other", async (console) => {
  const { store } = console;
  const { batch } = await makeBatch(store, 2);
  const [code, other] = await Array.fromAsync(redemptionCodesOf(store, batch.id));
  const browser = await console.signedIn(administrator);
  const path = `${list}/${batch.id}`;
  const answer = await browser.post(`${path}/code`, { digest: code.digest, enabled: "false" });
  assertRedirect(answer, `${path}?done=code-disabled&page=1`);
  const after = await Array.fromAsync(redemptionCodesOf(store, batch.id));
  assertEquals(after.map(({ enabled }) => enabled), [false, true]);
  const entry = await lastEntry(store);
  assertEquals([entry.kind, entry.action, entry.targetId], ["code", "disabled", batch.id]);
  assert(!JSON.stringify(entry).includes(code.digest));
  for (const digest of ["", "x", `${other.digest}0`, "0".repeat(64)]) {
    assertEquals((await browser.post(`${path}/code`, { digest, enabled: "false" })).status, 404);
  }
});

testConsole("codes: a batch goes on page by page, and is exported whole", async (console) => {
  const { store } = console;
  const { batch } = await makeBatch(store, 60);
  const browser = await console.signedIn(administrator);
  const path = `${list}/${batch.id}`;
  const first = await browser.get(path);
  const second = await browser.get(`${path}?page=2`);
  const rows = (html: string) => html.match(/name="digest"/g)?.length;
  assertEquals([rows(first.html), rows(second.html)], [50, 10]);
  const csv = await browser.get(`${path}/export`);
  assertEquals(csv.html.trim().split("\r\n").length, 61);
  assertStringIncludes(csv.headers.get("content-disposition") ?? "", `${batch.id}.csv`);
  assertEquals((await browser.get(`${path}?page=0'`)).status, 200);
});

testConsole("codes: are shown once, to who made them alone, and made once", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(administrator);
  const count = "10000"; // more than one value of the store holds
  const { location } = await browser.post(`${list}/new`, { ...form, count }).then(redirected);
  const other = await console.signedIn(administrator);
  assertStringIncludes(textOf((await other.get(location)).html), "The codes were already shown");
  assertStringIncludes(
    textOf((await browser.get(location)).html),
    "10000 codes of Spring are ready",
  );
  const again = textOf((await browser.get(location)).html);
  assertStringIncludes(again, "The codes were already shown");
  assertEquals((await listRedemptionBatches(store)).length, 1);
  for (const once of ["", "x", "once_nobody", "0".repeat(200)]) {
    const { html } = await browser.get(`${location.split("?")[0]}?once=${once}`);
    assertStringIncludes(textOf(html), "The codes were already shown");
  }
});

testConsole("codes: an account redeems no more of a batch than the batch says", async (console) => {
  const { store } = console;
  const draft = {
    name: "x",
    amountNanoUsd: 1_000_000_000n,
    count: 5,
    usesMax: 5,
    perAccountMax: 2,
  };
  const made = await createBatch(store, administrator, draft, { nowMs, codesMax: 5 });
  assert(made.type === "created");
  const results = await Promise.all(
    made.codes.map((entered) => redeem(store, { accountId: member.id, entered }, nowMs)),
  );
  const kinds = results.map(({ type }) => type).toSorted();
  assertEquals(kinds, ["limited", "limited", "limited", "redeemed", "redeemed"]);
  const browser = await console.signedIn(member);
  const limited = made.codes[results.findIndex(({ type }) => type === "limited")];
  const answer = await browser.post("/console/topup/redeem", { code: limited });
  assertEquals(answer.status, 422);
  assertStringIncludes(textOf(answer.html), "You already redeemed 2 codes of this batch");
  const other = await redeem(store, { accountId: "usr_other", entered: limited }, nowMs);
  assertEquals(other.type, "redeemed");
});

testConsole("codes: batches are filtered and paged by the address", async (console) => {
  const { store } = console;
  for (const name of ["Spring", "Autumn"]) {
    const draft = { name, amountNanoUsd: 1n, count: 1, usesMax: 1, expiresAtMs: nowMs + 10 };
    await createBatch(store, administrator, draft, { nowMs, codesMax: 1 });
  }
  const off = await makeBatch(store, 1);
  await setBatchEnabled(store, administrator, { batchId: off.batch.id, enabled: false });
  const browser = await console.signedIn(administrator);
  const shown = async (query: string) =>
    textOf((await browser.get(`${list}?${query}`)).html).match(/(\d+) (?:of \d+ )?batch/)?.[1] ??
      "none";
  assertEquals([await shown(""), await shown("q=AUTUMN"), await shown("q=owner@")], [
    "3",
    "1",
    "3",
  ]);
  assertEquals([await shown("status=disabled"), await shown("status=expired")], ["1", "0"]);
  console.clock.nowMs += 10;
  assertEquals([await shown("status=expired"), await shown("status=expired&q=spr")], ["2", "1"]);
  const none = textOf((await browser.get(`${list}?q=nobody`)).html);
  assertStringIncludes(none, "No batches match");
});
