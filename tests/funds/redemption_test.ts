import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import {
  type BatchDraft,
  createBatch,
  exportBatch,
  redeem,
  setBatchEnabled,
  setCodeEnabled,
} from "../../lib/funds/mod.ts";
import { newRedemptionCode, readRedemptionCode } from "../../lib/funds/redemption.ts";
import { digestOf, type Store } from "../../lib/store/mod.ts";
import {
  allRedemptionCodes,
  balanceOf,
  listEntries,
  listRedemptionBatches,
  redemptionCodesOf,
} from "../../lib/store/money/mod.ts";
import { sampleUser } from "../store/samples.ts";
import { testOnStores } from "../store/temp_store.ts";
import { addMembers, administrator, nowMs } from "./accounts.ts";

const draft: BatchDraft = { name: "spring", amountNanoUsd: 2_000_000_000n, count: 1, usesMax: 1 };

async function makeCodes(store: Store, fields: Partial<BatchDraft> = {}) {
  const options = { nowMs, codesMax: 10_000 };
  const result = await createBatch(store, administrator, { ...draft, ...fields }, options);
  assert(result.type === "created");
  return result;
}

const redeemAt = (store: Store, accountId: string, entered: string, atMs = nowMs) =>
  redeem(store, { accountId, entered }, atMs);

Deno.test("a code is random, and is read in any usual spelling", () => {
  const codes = Array.from({ length: 500 }, newRedemptionCode);
  assertEquals(new Set(codes).size, 500);
  for (const code of codes) {
    assertMatch(code, /^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/);
    const plain = readRedemptionCode(code);
    assertEquals(plain, code.replaceAll("-", ""));
    const typed = ` ${code.toLowerCase().replaceAll("-", " — ").replaceAll("0", "o")}\n`;
    assertEquals(readRedemptionCode(typed.replaceAll("1", "l")), plain);
  }
});

Deno.test("a typing error never yields another code", () => {
  const code = newRedemptionCode().replaceAll("-", "");
  fc.assert(fc.property(fc.nat(24), fc.constantFrom(..."0123456789ABCDEFGH"), (at, character) => {
    const slip = code.slice(0, at) + character + code.slice(at + 1);
    assertEquals(readRedemptionCode(slip), slip === code ? code : undefined);
  }));
  for (const other of ["", "x", code.slice(1), `${code}0`, "0".repeat(1_000_000)]) {
    assertEquals(readRedemptionCode(other), undefined);
  }
});

testOnStores("a code is redeemed once and posted to the ledger", async (store) => {
  const [account] = await addMembers(store, 1);
  const { codes: [code], batch } = await makeCodes(store);
  assertEquals((await redeemAt(store, account, code)).type, "redeemed");
  assertEquals(await redeemAt(store, account, code, nowMs + 5), { type: "repeated", atMs: nowMs });
  assertEquals(await balanceOf(store, account), 2_000_000_000n);
  const { entries: [entry] } = await listEntries(store, account, { limit: 1 });
  assertEquals([entry.type, entry.reference, entry.actor], ["redemption", batch.id, account]);
  assertEquals(entry.reason, `Code ${code.slice(0, 4)}…${code.slice(-4)}`);
});

testOnStores("one of 64 accounts that race for a code gets it", async (store) => {
  const accounts = await addMembers(store, 64);
  const { codes: [code] } = await makeCodes(store);
  const results = await Promise.all(accounts.map((one) => redeemAt(store, one, code)));
  assertEquals(results.filter(({ type }) => type === "redeemed").length, 1);
  const balances = await Promise.all(accounts.map((one) => balanceOf(store, one)));
  assertEquals(balances.reduce((sum, one) => sum + one, 0n), 2_000_000_000n);
});

testOnStores("ten of 64 accounts that race for a code of ten uses get it", async (store) => {
  const accounts = await addMembers(store, 64);
  const { codes: [code], batch } = await makeCodes(store, { usesMax: 10 });
  const racing = [...accounts, ...accounts].map((one) => redeemAt(store, one, code));
  const results = await Promise.all(racing);
  assertEquals(results.filter(({ type }) => type === "redeemed").length, 10);
  const [{ used }] = await Array.fromAsync(redemptionCodesOf(store, batch.id));
  assertEquals(used, 10);
});

testOnStores("one account that races itself gets a code once", async (store) => {
  const [account] = await addMembers(store, 1);
  const { codes: [code] } = await makeCodes(store, { usesMax: 10 });
  const results = await Promise.all([1, 2, 3, 4, 5].map(() => redeemAt(store, account, code)));
  assertEquals(results.filter(({ type }) => type === "redeemed").length, 1);
  assertEquals(await balanceOf(store, account), 2_000_000_000n);
});

testOnStores("all unusable codes are refused with the same message", async (store) => {
  const accounts = await addMembers(store, 6);
  const usedUp = await makeCodes(store);
  await redeemAt(store, accounts[0], usedUp.codes[0]);
  const expired = await makeCodes(store, { expiresAtMs: nowMs + 1 });
  const batchOff = await makeCodes(store);
  await setBatchEnabled(store, administrator, { batchId: batchOff.batch.id, enabled: false });
  const codeOff = await makeCodes(store, { count: 2 });
  const digest = digestOf(readRedemptionCode(codeOff.codes[0]) ?? "");
  await setCodeEnabled(store, administrator, { digest, enabled: false });
  const refused = [usedUp.codes[0], expired.codes[0], batchOff.codes[0], codeOff.codes[0]];
  const words = new Set<string>();
  for (const [n, entered] of [...refused, newRedemptionCode(), "nonsense"].entries()) {
    const result = await redeemAt(store, accounts[1 + n % 5], entered, nowMs + 2);
    assert(result.type === "refused", entered);
    words.add(result.message);
  }
  assertEquals([...words], ["The code is mistyped, used up, expired or unknown"]);
  assertEquals((await redeemAt(store, accounts[2], codeOff.codes[1], nowMs + 2)).type, "redeemed");
});

testOnStores("wrong codes make their account wait, and no other account", async (store) => {
  const [account, other] = await addMembers(store, 2);
  const { codes: [code] } = await makeCodes(store, { usesMax: 2 });
  for (let n = 0; n < 5; n++) {
    assertEquals((await redeemAt(store, account, newRedemptionCode())).type, "refused");
  }
  assertEquals(await redeemAt(store, account, code), {
    type: "wait",
    message: "Too many wrong codes. Try again in 1 second",
    retryAfterSeconds: 1,
  });
  assertEquals((await redeemAt(store, other, code)).type, "redeemed");
  const many = await Promise.all(
    Array.from({ length: 20 }, () => redeemAt(store, account, newRedemptionCode(), nowMs + 1_000)),
  );
  assertEquals(many.filter(({ type }) => type === "refused").length, 1);
  assertEquals((await redeemAt(store, account, code, nowMs + 3_600_000)).type, "redeemed");
  assertEquals(
    (await redeemAt(store, account, newRedemptionCode(), nowMs + 3_600_000)).type,
    "refused",
  );
});

testOnStores("neither the store nor an exported batch contains a plain code", async (store) => {
  const [account] = await addMembers(store, 1);
  const { codes, batch } = await makeCodes(store, { count: 900, usesMax: 3 });
  assertEquals(new Set(codes).size, 900);
  assertEquals((await redeemAt(store, account, codes[0])).type, "redeemed");
  for await (const { key, value } of store.kv.list({ prefix: [] })) {
    const text = JSON.stringify([key, value], (_, one) => typeof one === "bigint" ? "" : one);
    for (const code of codes.slice(0, 3)) {
      assert(!text.includes(code) && !text.includes(code.replaceAll("-", "")));
    }
  }
  const lines = await exportBatch(store, administrator, batch.id);
  assert(lines !== undefined && !("type" in lines));
  const [head, ...rows] = await Array.fromAsync(lines);
  assertEquals(head, "batch,code,amount_usd,used,uses_max,enabled,expires_at\r\n");
  assertEquals(rows.length, 900);
  const used = rows.filter((row) => row.endsWith(",2,1,3,true,\r\n"));
  assertEquals(used.length, 1);
  assertEquals(used[0].split(",")[1], `${codes[0].slice(0, 4)}…${codes[0].slice(-4)}`);
  assertEquals((await Array.fromAsync(allRedemptionCodes(store))).length, 900);
  assertEquals((await listRedemptionBatches(store)).map(({ id }) => id), [batch.id]);
});

const refusals: readonly (readonly [string, Partial<BatchDraft>])[] = [
  ["name", { name: " " }],
  ["name", { name: "x".repeat(101) }],
  ["amount", { amountNanoUsd: 0n }],
  ["amount", { amountNanoUsd: 10n ** 16n }],
  ["count", { count: 0 }],
  ["count", { count: 10_001 }],
  ["count", { count: 1.5 }],
  ["uses", { usesMax: 0 }],
  ["uses", { usesMax: NaN }],
  ["expiry", { expiresAtMs: nowMs }],
];
testOnStores("createBatch names the invalid field", async (store) => {
  const options = { nowMs, codesMax: 10_000 };
  for (const [field, fields] of refusals) {
    const result = await createBatch(store, administrator, { ...draft, ...fields }, options);
    assertEquals(result.type === "invalid" ? result.field : result.type, field);
  }
  const byMember = await createBatch(store, sampleUser(), draft, options);
  assertEquals(byMember.type, "forbidden");
  assertNotEquals(
    await setBatchEnabled(store, sampleUser(), { batchId: "x", enabled: true }),
    undefined,
  );
  assertEquals(await listRedemptionBatches(store), []);
});
