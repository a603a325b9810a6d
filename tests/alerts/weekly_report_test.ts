import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { composeMail } from "../../lib/console/mail/compose.ts";
import type { ComposeMail } from "../../lib/mail/mod.ts";
import { createApiKey } from "../../lib/store/api_keys/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { createUser } from "../../lib/store/users/mod.ts";
import { addCall } from "../console/records.ts";
import { headerOf, partOf, startSmtp } from "../mail/fake_smtp.ts";
import { sampleKey, sampleUser } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { openAlerts, usd } from "./alerting.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A Monday at midnight. */
const monday = Date.UTC(2026, 10, 23);

async function addWeek(store: Store): Promise<void> {
  const lin = sampleUser({ id: "usr_lin", email: "lin@example.com", role: "administrator" });
  await createUser(store, { ...lin, mail: { locale: "zh-CN" } });
  await createUser(store, {
    ...lin,
    id: "usr_off",
    email: "off@example.com",
    mail: { report: false },
  });
  await createUser(store, sampleUser());
  const soon = monday + 10 * dayMs;
  await createApiKey(store, sampleKey({ name: "ci", accountId: "usr_1", expiresAtMs: soon }));
  const call = {
    accountId: "usr_1",
    keyId: "key_1",
    keyName: "ci",
    model: "gpt-5",
    upstreamId: "up",
  };
  const costs = [["a", 3n, 1], ["b", 2n, 6], ["before", 1n, 8], ["after", 7n, -1]] as const;
  for (const [id, cost, days] of costs) {
    const atMs = monday - days * dayMs + 2 * hourMs;
    await addCall(store, { ...call, id: `req_${id}`, atMs, costNanoUsd: cost * usd });
  }
  const failed = { outcome: "upstream_error", status: 502, errorCode: "upstream_timeout" } as const;
  const atMs = monday - dayMs;
  await addCall(store, { ...call, ...failed, id: "req_f", atMs, model: "<b>bold</b>" });
}

Deno.test("weekly report: once on Monday from 8:00, with the figures of the last week", () =>
  withMemoryStore(async (store) => {
    await addWeek(store);
    await using smtp = await startSmtp();
    const publicUrl = "https://ai.example.com";
    const clock = { nowMs: monday + 7 * hourMs };
    const compose: ComposeMail = (notice, reader) =>
      composeMail({ store, publicUrl, nowMs: clock.nowMs }, notice, reader);
    const email = { host: "127.0.0.1", port: smtp.port, security: "none", from: "t@example.com" };
    await using test = openAlerts(store, {
      email: { ...email, security: "none" },
      composeMail: compose,
    }, clock);
    await test.alerts.check();
    assertEquals(smtp.mails.length, 0, "before 8:00");
    for (const hours of [2, 2, 30]) {
      clock.nowMs += hours * hourMs;
      await test.alerts.check();
      await test.alerts.check();
    }
    assertEquals(smtp.mails.map(({ to }) => to), [["lin@example.com"]]);
    const [mail] = smtp.mails;
    const text = partOf(mail, "text/plain");
    assertStringIncludes(headerOf(mail, "subject"), "Tessera：2026年11月16日");
    for (
      const part of ["$5.00", "$1.00", "ada@example.com", "gpt-5: $5.00", "ci: $5.00", "1 / 1"]
    ) {
      assertStringIncludes(text, part);
    }
    assertStringIncludes(text, "余额不足");
    assertStringIncludes(text, "即将过期的密钥");
    assertStringIncludes(partOf(mail, "text/html"), "&lt;b&gt;bold&lt;/b&gt;");
    assert(!partOf(mail, "text/html").includes("<b>bold"));
  }));

Deno.test("weekly report: a week without calls has none", () =>
  withMemoryStore(async (store) => {
    await createUser(store, sampleUser({ role: "administrator" }));
    await using smtp = await startSmtp();
    await using test = openAlerts(store, {
      email: { host: "127.0.0.1", port: smtp.port, security: "none", from: "t@example.com" },
      composeMail: (notice, reader) =>
        composeMail({ store, publicUrl: undefined, nowMs: monday }, notice, reader),
    }, { nowMs: monday + 9 * hourMs });
    await test.alerts.check();
    assertEquals(smtp.mails, []);
  }));
