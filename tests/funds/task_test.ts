import { assertEquals } from "@std/assert";
import { redeem } from "../../lib/funds/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { balanceOf } from "../../lib/store/money/mod.ts";
import { createUser } from "../../lib/store/users/mod.ts";
import { addFunds } from "../../tools/funds.ts";
import { testOnStores } from "../store/temp_store.ts";
import { addMembers, administrator, nowMs } from "./accounts.ts";

const run = (store: Store, ...args: string[]) => addFunds(store, args, { nowMs, codesMax: 3 });

testOnStores("the task grant credits an account", async (store) => {
  await addMembers(store, 1);
  assertEquals((await run(store, "grant", "usr_0@example.com", "5", "hello")).ok, false);
  await createUser(store, administrator);
  assertEquals(await run(store, "grant", "Usr_0@Example.com", "12.50", "for", "tests"), {
    ok: true,
    lines: ["Added $12.50 to the balance of usr_0@example.com"],
  });
  assertEquals(await balanceOf(store, "usr_0"), 12_500_000_000n);
  for (
    const args of [["x@example.com", "5", "x"], ["usr_0@example.com", "five", "x"], [
      "usr_0@example.com",
      "5",
    ]]
  ) {
    assertEquals((await run(store, "grant", ...args)).ok, false);
  }
  assertEquals((await run(store, "other")).ok, false);
});

testOnStores("the task codes creates codes that can be redeemed", async (store) => {
  const [accountId] = await addMembers(store, 1);
  await createUser(store, administrator);
  const { ok, lines } = await run(store, "codes", "5", "3");
  assertEquals([ok, lines.length], [true, 3]);
  assertEquals((await redeem(store, { accountId, entered: lines[2] }, nowMs)).type, "redeemed");
  assertEquals((await run(store, "codes", "5", "4")).ok, false);
});
