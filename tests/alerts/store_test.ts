import { assertEquals } from "@std/assert";
import { putAlert } from "../../lib/store/alerts/alert.ts";
import { type Alert, getAlert, listAlerts } from "../../lib/store/alerts/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { testOnStores } from "../store/temp_store.ts";
import { nowMs, usd } from "./alerting.ts";

function balanceAlert(number: number, accountId?: string): Alert {
  return {
    id: `alert_${String(number).padStart(3, "0")}`,
    atMs: nowMs + number,
    type: "balance",
    owner: "account",
    ownerId: accountId ?? "usr_1",
    name: "ada@example.com",
    ...(accountId && { accountId }),
    allowanceId: "wallet:usr_1",
    refused: false,
    lowNanoUsd: 5n * usd,
    balanceNanoUsd: -usd,
    expiresAtMs: nowMs + 86_400_000,
  };
}

async function put(store: Store, alert: Alert): Promise<void> {
  await putAlert(store.kv.atomic(), alert, nowMs).commit();
}

async function pagesOf(store: Store, accountId: string | undefined, limit: number) {
  const pages: number[][] = [];
  let before: string | undefined;
  for (;;) {
    const page = await listAlerts(store, { accountId, before, limit });
    pages.push(page.alerts.map(({ id }) => Number(id.slice("alert_".length))));
    if (page.next === undefined) return pages;
    before = page.next;
  }
}

testOnStores(
  "alerts are listed newest first, of an account or of all, a page at a time",
  async (store) => {
    const accounts = ["usr_1", "usr_2", undefined] as const;
    for (let number = 0; number < 9; number++) {
      await put(
        store,
        balanceAlert(number, accounts[number % 3]),
      );
    }
    assertEquals(await pagesOf(store, undefined, 4), [[8, 7, 6, 5], [4, 3, 2, 1], [0]]);
    assertEquals(await pagesOf(store, undefined, 9), [[8, 7, 6, 5, 4, 3, 2, 1, 0]]);
    assertEquals(await pagesOf(store, "usr_1", 2), [[6, 3], [0]]);
    assertEquals(await pagesOf(store, "usr_3", 2), [[]]);
    assertEquals(await getAlert(store, "alert_004"), balanceAlert(4, "usr_2"));
  },
);
