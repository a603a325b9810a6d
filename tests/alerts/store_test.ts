import { assert, assertEquals } from "@std/assert";
import { putAlert } from "../../lib/store/alerts/alert.ts";
import { addDelivery } from "../../lib/store/alerts/alert_delivery.ts";
import {
  type Alert,
  claimDueAlert,
  endClaim,
  getAlert,
  listAlerts,
} from "../../lib/store/alerts/mod.ts";
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

testOnStores(
  "an alert that is due is claimed by one of any number, until the claim ends",
  async (store) => {
    const alerts = [1, 2, 3].map((number) => balanceAlert(number));
    for (const alert of alerts) {
      const operation = putAlert(store.kv.atomic(), alert, nowMs);
      addDelivery(operation, alert, { dueAtMs: alert.atMs, nowMs });
      await operation.commit();
    }
    const claim = (atMs: number) => claimDueAlert(store, { nowMs: atMs, claimMs: 60_000 });
    const claimAll = async (atMs: number) => {
      const claimed = await Promise.all(Array.from({ length: 20 }, () => claim(atMs)));
      return claimed.filter((one) => one !== undefined);
    };
    assertEquals(await claim(nowMs), undefined, "nothing is due yet");
    const first = await claimAll(nowMs + 2);
    assertEquals(first.map(({ alert }) => alert.id).sort(), ["alert_001", "alert_002"]);
    assertEquals((await claimAll(nowMs + 3)).map(({ alert }) => alert.id), ["alert_003"]);
    const again = await claimAll(nowMs + 60_002);
    assertEquals(again.map(({ alert }) => alert.id).sort(), ["alert_001", "alert_002"]);
    const end = { delivery: { state: "delivered", attempts: 1 }, nowMs } as const;
    assert(!await endClaim(store, first[0], end));
    assert(await endClaim(store, again[0], end));
    assertEquals((await getAlert(store, again[0].alert.id))?.delivery, end.delivery);
  },
);
