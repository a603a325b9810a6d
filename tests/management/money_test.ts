import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { redeem } from "../../lib/funds/mod.ts";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { balanceOf } from "../../lib/store/money/mod.ts";
import { administrator, member } from "../console/people.ts";
import { describeManagement } from "../../lib/management/mod.ts";
import { startApi } from "./api.ts";

Deno.test("management: the description of a reason has the limit that the ledger has", () => {
  const described = JSON.stringify(describeManagement().paths["/api/v1/wallets/{user_id}/grants"]);
  assertStringIncludes(described, `"reason":{"type":"string","maxLength":500,`);
});

Deno.test("management: funds are given and taken, exactly, with ledger and audit entries", async () => {
  await using api = await startApi();
  const wallet = `/wallets/${member.id}`;
  const given = await api.ask("POST", `${wallet}/grants`, {
    body: { amount: "5.000000001", reason: "Workshop" },
  });
  assertEquals([given.status, given.body.amount, given.body.type], [201, "5.000000001", "grant"]);
  const taken = await api.ask("POST", `${wallet}/adjustments`, {
    body: { amount: "2", direction: "take", reason: "Mistake" },
  });
  assertEquals([taken.status, taken.body.amount], [201, "-2.00"]);
  assertEquals(await balanceOf(api.store, member.id), 3_000_000_001n);
  const { body } = await api.ask("GET", wallet);
  assertEquals([body.balance, body.funded, body.spent, body.held], [
    "3.000000001",
    "3.000000001",
    "0.00",
    "0.00",
  ]);
  const first = await api.ask("GET", `${wallet}/entries?limit=1`);
  const cursor = encodeURIComponent(first.body.next_cursor);
  const second = await api.ask("GET", `${wallet}/entries?limit=1&cursor=${cursor}`);
  const entries = [...first.body.data, ...second.body.data];
  assertEquals(entries.map(({ amount, balance, reason }) => [amount, balance, reason]), [
    ["-2.00", "3.000000001", "Mistake"],
    ["5.000000001", "5.000000001", "Workshop"],
  ]);
  assertEquals(second.body.next_cursor, null);
  const audit = await listAuditEntries(api.store, { limit: 9 });
  assertEquals(audit.entries.map(({ action, changes }) => [action, changes[0].after]), [
    ["adjusted", "-$2"],
    ["granted", "+$5.000000001"],
  ]);
});

Deno.test("management: a wallet gives no more than it has, and refuses wrong amounts", async () => {
  await using api = await startApi();
  const path = `/wallets/${member.id}/adjustments`;
  const take = { amount: "1", direction: "take", reason: "x" };
  const { status, body } = await api.ask("POST", path, { body: take });
  assertEquals([status, body.error.code, body.error.param], [402, "insufficient_quota", "amount"]);
  const wrong = [
    [{ ...take, amount: "0" }, "amount"],
    [{ ...take, amount: "-1" }, "amount"],
    [{ ...take, amount: "1e3" }, "amount"],
    [{ ...take, amount: "2000000" }, "amount"],
    [{ ...take, amount: 1 }, "amount"],
    [{ ...take, reason: " " }, "reason"],
    [{ ...take, reason: "x".repeat(501) }, "reason"],
    [{ ...take, direction: "lose" }, "direction"],
  ] as const;
  for (const [body, param] of wrong) {
    const answer = await api.ask("POST", path, { body });
    assertEquals([answer.status, answer.body.error.param], [400, param], JSON.stringify(body));
  }
  assertEquals(await balanceOf(api.store, member.id), 0n);
  assertEquals((await listAuditEntries(api.store, { limit: 9 })).entries, []);
});

Deno.test("management: a grant that is sent twice with an idempotency key is given once", async () => {
  await using api = await startApi();
  const ask = () =>
    api.ask("POST", `/wallets/${member.id}/grants`, {
      body: { amount: "1", reason: "once" },
      headers: { "idempotency-key": "job-7" },
    });
  const [one, two] = [await ask(), await ask()];
  assertEquals([one.status, two.body], [201, one.body]);
  assertEquals(await balanceOf(api.store, member.id), 1_000_000_000n);
});

Deno.test("management: the wallets of all users are listed", async () => {
  await using api = await startApi();
  await api.ask("POST", `/wallets/${member.id}/grants`, { body: { amount: "7", reason: "x" } });
  const { body } = await api.ask("GET", "/wallets");
  const shown = Object.fromEntries(
    body.data.map(({ user_id, balance, spending }: Record<string, string>) => [
      user_id,
      [balance, spending],
    ]),
  );
  assertEquals(shown, {
    [administrator.id]: ["0.00", "unlimited"],
    [member.id]: ["7.00", "prepaid"],
  });
});

const codesBody = { name: "Spring", amount: "2.50", count: 3, per_account_max: 1 };

Deno.test("management: codes are made once, redeemed, listed masked and disabled", async () => {
  await using api = await startApi();
  const made = await api.ask("POST", "/codes", { body: codesBody });
  assertEquals([made.status, made.body.codes.length, made.body.amount], [201, 3, "2.50"]);
  const { id, codes } = made.body;
  const shown = await api.ask("GET", `/codes/${id}`);
  assertEquals(shown.body.codes, undefined);
  const redeemed = await redeem(api.store, { accountId: member.id, entered: codes[0] }, Date.now());
  assertEquals(redeemed.type, "redeemed");
  const { body: list } = await api.ask("GET", `/codes/${id}/codes`);
  assertEquals(list.data.map(({ used }: { used: number }) => used).sort(), [0, 0, 1]);
  for (const code of codes) assert(!JSON.stringify(list).includes(code));
  const [code] = list.data;
  const off = await api.ask("POST", `/codes/${id}/codes/${code.id}/disable`);
  assertEquals([off.status, off.body], [200, { ...code, enabled: false }]);
  const disabled = await api.ask("POST", `/codes/${id}/disable`);
  assertEquals(disabled.body.status, "disabled");
  assertEquals((await api.ask("POST", `/codes/${id}/enable`)).body.status, "enabled");
  const audit = await listAuditEntries(api.store, { limit: 9 });
  assertEquals(audit.entries.map(({ kind, action }) => `${kind} ${action}`), [
    "batch enabled",
    "batch disabled",
    "code disabled",
    "batch created",
  ]);
  assertMatch((await api.ask("GET", "/codes")).body.data[0].id, /^batch_/);
});

Deno.test("management: wrong batches of codes are refused by the rules of the console", async () => {
  await using api = await startApi();
  const wrong = [
    [{ ...codesBody, name: "" }, "name"],
    [{ ...codesBody, count: 1_000_000 }, "count"],
    [{ ...codesBody, count: 0 }, "count"],
    [{ ...codesBody, uses_max: 2_000_000 }, "uses_max"],
    [{ ...codesBody, expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    [{ ...codesBody, expires_at: "tomorrow" }, "expires_at"],
    [{ ...codesBody, amount: "0" }, "amount"],
  ] as const;
  for (const [body, param] of wrong) {
    const answer = await api.ask("POST", "/codes", { body });
    assertEquals([answer.status, answer.body.error.param], [400, param], JSON.stringify(body));
  }
  assertEquals((await api.ask("GET", "/codes")).body.data, []);
});
