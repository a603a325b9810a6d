import { assert, assertEquals, assertMatch } from "@std/assert";
import type { AlertsOptions } from "../../lib/alerts/mod.ts";
import { composeMail } from "../../lib/console/mail/compose.ts";
import type { ComposeMail } from "../../lib/mail/mod.ts";
import { raiseAlertOnce } from "../../lib/store/alerts/mod.ts";
import { newOrderedId } from "../../lib/store/kv/id.ts";
import type { MailServer } from "../../lib/store/mail/mod.ts";
import { openStore, type Store } from "../../lib/store/mod.ts";
import { createUser, updateUser } from "../../lib/store/users/mod.ts";
import { listDeliveries, mailReceiverId } from "../../lib/store/webhooks/mod.ts";
import {
  addSpender,
  nowMs,
  openAlerts,
  spendBalance,
  spendBudget,
  spender,
} from "../alerts/alerting.ts";
import { sampleUser } from "../store/samples.ts";
import { withMemoryStore, withTempFolder } from "../store/temp_store.ts";
import { type FakeSmtp, headerOf, partOf, startSmtp } from "./fake_smtp.ts";

const [secondMs, minuteMs] = [1_000, 60_000];
const publicUrl = "https://ai.example.com";

const cacheAlert = {
  type: "cache",
  allowanceId: "cache:key_1",
  owner: "key",
  ownerId: "key_1",
  name: "ci",
  refused: false,
  model: "claude",
  callId: "req_1",
  calls: 3,
  writtenTokens: 20_000,
  lostNanoUsd: 1n,
  advice: "stable-prefix",
} as const;

interface Scene {
  readonly store: Store;
  readonly smtp: FakeSmtp;
  readonly email: MailServer;
  /** Opens the gateway's part that sends, as a start does. */
  open(fields?: Partial<AlertsOptions>): ReturnType<typeof openAlerts>;
}

function testQueue(name: string, run: (scene: Scene) => Promise<void>): void {
  Deno.test(`mail queue: ${name}`, () =>
    withMemoryStore(async (store) => {
      await using smtp = await startSmtp();
      const email: MailServer = {
        host: "127.0.0.1",
        port: smtp.port,
        security: "none",
        from: "tessera@example.com",
      };
      const compose: ComposeMail = (notice, reader) =>
        composeMail({ store, publicUrl, nowMs }, notice, reader);
      const clock = { nowMs };
      const open: Scene["open"] = (fields) =>
        openAlerts(store, { email, composeMail: compose, ...fields }, clock);
      await run({ store, smtp, email, open });
    }));
}

async function addAdministrator(store: Store, id: string, fields = {}): Promise<void> {
  const email = `${id}@example.com`;
  await createUser(store, { ...sampleUser(), id, email, role: "administrator", ...fields });
}

function recipients({ mails }: FakeSmtp): string[] {
  return mails.flatMap(({ to }) => to).sort();
}

async function states(store: Store): Promise<string[]> {
  const { deliveries } = await listDeliveries(store, mailReceiverId, { limit: 50 });
  return deliveries.map(({ state }) => state).sort();
}

testQueue(
  "an alert reaches administrators and its account, each once and in their language",
  async ({ store, smtp, open }) => {
    await addSpender(store);
    await addAdministrator(store, "usr_ada");
    await addAdministrator(store, "usr_lin", { mail: { locale: "zh-CN" } });
    await addAdministrator(store, "usr_off", { mail: { alerts: false } });
    await addAdministrator(store, "usr_gone", { enabled: false });
    await using test = open();
    await spendBudget(store, 850);
    test.alerts.noteSpent(spender);
    await test.alerts.check();
    await test.alerts.check();
    const own = sampleUser().email;
    assertEquals(recipients(smtp), [own, "usr_ada@example.com", "usr_lin@example.com"].sort());
    const mailTo = (address: string) => smtp.mails.find(({ to }) => to.includes(address));
    const [english, chinese] = [mailTo("usr_ada@example.com"), mailTo("usr_lin@example.com")];
    assert(english && chinese);
    assertMatch(headerOf(english, "subject"), /ci-nightly has used 85% of its monthly budget/);
    assertMatch(headerOf(chinese, "subject"), /ci-nightly.*85%/);
    assertMatch(partOf(chinese, "text/plain"), /[一-龥]/);
    for (const type of ["text/plain", "text/html"] as const) {
      assert(partOf(english, type).includes(`${publicUrl}/console/token/key_1`), type);
      assert(partOf(english, type).includes("$8.50 of $10"), type);
    }
  },
);

testQueue(
  "one account cannot flood the mailboxes of administrators",
  async ({ store, smtp, open }) => {
    await addAdministrator(store, "usr_ada");
    await using test = open();
    const post = async (accountId: string, count: number, minutes: number) => {
      for (let at = 0; at < count; at++) {
        const atMs = nowMs + minutes * minuteMs + at;
        const mark = { id: `mark:${accountId}:${minutes}:${at}`, expiresAtMs: atMs + minuteMs };
        const id = `alert_${newOrderedId(atMs)}`;
        const alert = { ...cacheAlert, id, atMs, accountId, expiresAtMs: nowMs + 1e9 };
        await raiseAlertOnce(store, mark, { alert, nowMs: atMs });
      }
      await test.alerts.check();
      return smtp.mails.splice(0).length;
    };
    assertEquals(await post("usr_1", 25, 0), 10);
    assertEquals(await post("usr_2", 2, 1), 2);
    assertEquals(await post("usr_1", 2, 61), 2);
  },
);

testQueue(
  "4xx is retried and 5xx is not, and neither delays the others",
  async ({ store, smtp, open }) => {
    await addSpender(store);
    for (const id of ["usr_a", "usr_b", "usr_c"]) await addAdministrator(store, id);
    await using test = open();
    const replies: Partial<Record<string, number>> = {
      "usr_a@example.com": 451,
      "usr_b@example.com": 550,
    };
    smtp.refusesRecipient = (address) => replies[address];
    await spendBudget(store, 850);
    test.alerts.noteSpent(spender);
    await test.alerts.check();
    assertEquals(recipients(smtp), [sampleUser().email, "usr_c@example.com"].sort());
    assertEquals(await states(store), ["abandoned", "delivered", "delivered", "waiting"]);
    delete replies["usr_a@example.com"];
    test.clock.nowMs += 6 * secondMs;
    await test.alerts.check();
    assertEquals(smtp.mails.length, 3);
    assertEquals(await states(store), ["abandoned", "delivered", "delivered", "delivered"]);
    assert(test.told.some((line) => line.includes('"fault":"recipient"')));
    assert(!test.told.some((line) => line.includes("@example.com")), "no address in the log");
  },
);

testQueue(
  "a mail survives a restart while the server is dead, and comes once",
  async ({ store, smtp, email, open }) => {
    await addSpender(store, 1_000n);
    await addAdministrator(store, "usr_ada", { mail: { alerts: false } });
    {
      await using test = open({ email: { ...email, port: 1 } });
      await spendBalance(store, 100);
      test.alerts.noteSpent(spender);
      await test.alerts.check();
      assertEquals([smtp.mails.length, await states(store)], [0, ["waiting"]]);
    }
    await using one = open();
    await using other = open();
    one.clock.nowMs += minuteMs;
    await Promise.all([one.alerts.check(), other.alerts.check()]);
    await one.alerts.check();
    assertEquals(recipients(smtp), [sampleUser().email]);
    assertMatch(headerOf(smtp.mails[0], "message-id"), /^<alert_.*@example\.com>$/);
  },
);

testQueue(
  "a link is sealed in the store, and not sent after it expired",
  async ({ store, smtp, email, open }) => {
    await using test = open({ email: { ...email, port: 1 } });
    const url = `${publicUrl}/invitation/secret-token`;
    const notice = { type: "invitation", url, expiresAtMs: nowMs + minuteMs, by: "a@b.c" } as const;
    assert(await test.alerts.mail?.send(notice, { email: "new@example.com" }));
    const { deliveries: [queued] } = await listDeliveries(store, mailReceiverId, { limit: 1 });
    assert(!queued.body.includes("secret-token") && !queued.body.includes("new@example.com"));
    await test.alerts.check();
    test.clock.nowMs += 2 * minuteMs;
    await using later = open();
    await later.alerts.check();
    assertEquals([smtp.mails.length, await states(store)], [0, ["abandoned"]]);
    await later.alerts.mail?.send({ ...notice, expiresAtMs: nowMs + 60 * minuteMs }, {
      email: "new@example.com",
    });
    await later.alerts.check();
    assert(partOf(smtp.mails[0], "text/plain").includes(url));
  },
);

testQueue("without a server nothing is queued", async ({ store, open }) => {
  await addSpender(store);
  await using test = open({ email: undefined });
  const notice = { type: "password", url: publicUrl, expiresAtMs: nowMs } as const;
  assertEquals(await test.alerts.mail?.send(notice, { email: "a@example.com" }), false);
  await spendBudget(store, 850);
  test.alerts.noteSpent(spender);
  await test.alerts.check();
  assertEquals(await states(store), []);
});

testQueue("a user who opts out gets no more of that kind", async ({ store, smtp, open }) => {
  await addSpender(store);
  await updateUser(store, spender.accountId, (user) => ({ ...user, mail: { alerts: false } }));
  await using test = open();
  await spendBudget(store, 850);
  test.alerts.noteSpent(spender);
  await test.alerts.check();
  assertEquals(smtp.mails, []);
});

Deno.test("mail queue: a queued mail is opened and sent after the store was closed", () =>
  withTempFolder(async (folder) => {
    await using smtp = await startSmtp();
    const email: MailServer = {
      host: "127.0.0.1",
      port: smtp.port,
      security: "none",
      from: "tessera@example.com",
    };
    const url = `${publicUrl}/password/token`;
    const run = async (port: number, mailed: boolean) => {
      const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
      const compose: ComposeMail = (notice, reader) =>
        composeMail({ store, publicUrl, nowMs }, notice, reader);
      const clock = { nowMs: mailed ? nowMs + minuteMs : nowMs };
      const test = openAlerts(store, { email: { ...email, port }, composeMail: compose }, clock);
      const notice = { type: "password", url, expiresAtMs: nowMs + 60 * minuteMs } as const;
      if (!mailed) await test.alerts.mail?.send(notice, { email: "a@example.com" });
      await test.alerts.check();
      await test.alerts.close();
      store.close();
    };
    await run(1, false);
    assertEquals(smtp.mails, []);
    await run(smtp.port, true);
    await run(smtp.port, true);
    assertEquals(smtp.mails.length, 1);
    assert(partOf(smtp.mails[0], "text/plain").includes(url));
  }));
