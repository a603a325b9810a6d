import { assert, assertEquals, assertMatch } from "@std/assert";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { getMailServer } from "../../lib/store/mail/mod.ts";
import { administrator, member } from "../console/people.ts";
import { headerOf, partOf, password, startSmtp } from "../mail/fake_smtp.ts";
import { until } from "../waiting.ts";
import { startApi } from "./api.ts";

const from = "tessera@example.com";

Deno.test("management: a mail server is set up, tested, used and removed", async () => {
  await using smtp = await startSmtp({ user: "gateway" });
  await using api = await startApi();
  assertEquals((await api.ask("GET", "/settings/email")).body.source, "none");
  assertEquals((await api.ask("POST", "/settings/email/test", { body: {} })).status, 404);
  const made = await api.ask("POST", "/invitations", { body: { email: "x@example.com" } });
  assertEquals(made.body.mailed, false);
  const server = { host: "127.0.0.1", port: smtp.port, security: "none", from };
  const body = { ...server, username: "gateway", password };
  const set = await api.ask("PATCH", "/settings/email", { body });
  assertEquals(set.body, {
    ...{ source: "console", ...server, username: "gateway", has_password: true },
  });
  const test = await api.ask("POST", "/settings/email/test", { body: {} });
  assertEquals(test.body.result, "delivered");
  assertEquals(smtp.mails[0].to, [administrator.email]);
  const invited = await api.ask("POST", "/invitations", { body: { email: "new@example.com" } });
  const link = await api.ask("POST", `/users/${member.id}/password-link`);
  assertEquals([invited.body.mailed, link.body.mailed], [true, true]);
  await until(() => smtp.mails.length === 3, "the mails did not come", 15_000);
  const [, first, second] = smtp.mails;
  assertEquals([...first.to, ...second.to], ["new@example.com", member.email]);
  assert(partOf(first, "text/plain").includes(invited.body.url));
  assert(partOf(second, "text/html").includes(link.body.url));
  assertEquals(headerOf(first, "subject"), "Your invitation to Tessera");
  await assertNowhere(api.store);
  assertEquals((await api.ask("DELETE", "/settings/email")).status, 204);
  assertEquals((await api.ask("GET", "/settings/email")).body.source, "none");
});

/** The password is sealed in the store, and in no audit entry. */
async function assertNowhere(store: Awaited<ReturnType<typeof startApi>>["store"]): Promise<void> {
  assertEquals((await getMailServer(store))?.password, password);
  const { entries } = await listAuditEntries(store, { limit: 20 });
  assert(entries.some(({ targetId }) => targetId === "email"));
  for await (const { key, value } of store.kv.list({ prefix: [] })) {
    const text = JSON.stringify(value, (_, part) => typeof part === "bigint" ? `${part}` : part);
    assert(!text.includes(password), String(key));
  }
}

Deno.test("management: a mail server's faults are named, and its password stays with its host", async () => {
  await using smtp = await startSmtp({ user: "gateway" });
  await using api = await startApi();
  const server = { host: "127.0.0.1", port: smtp.port, security: "none", from };
  const set = (body: Record<string, unknown>) => api.ask("PATCH", "/settings/email", { body });
  const wrong = [
    [{ ...server, host: "no host" }, "host"],
    [{ ...server, port: 0 }, "port"],
    [{ ...server, from: "a@example.com\r\nBcc: b@example.com" }, "from"],
    [{ ...server, from: "A <a@example.com>" }, "from"],
    [{ ...server, username: "a\r\nb", password }, "username"],
    [{ ...server, username: "gateway" }, "password"],
    [{ ...server, host: "mail.example.com", username: "gateway", password }, "security"],
  ] as const;
  for (const [body, param] of wrong) {
    const answer = await set(body);
    assertEquals([answer.status, answer.body.error.param], [400, param]);
  }
  assertEquals((await set({ ...server, username: "gateway", password: "wrong" })).status, 200);
  const refused = await api.ask("POST", "/settings/email/test", { body: {} });
  assertEquals([refused.body.result, refused.body.status], ["authentication", 535]);
  assertMatch(refused.body.message, /user name or the password/);
  assertEquals((await set({ from: "other@example.com" })).body.has_password, true);
  const moved = await set({ host: "localhost" });
  assertEquals([moved.status, moved.body.error.param], [400, "password"]);
});

Deno.test("management: the configuration's mail server is read only", async () => {
  await using smtp = await startSmtp();
  const email = { host: "127.0.0.1", port: smtp.port, security: "none", from };
  await using api = await startApi({ email });
  assertEquals((await api.ask("GET", "/settings/email")).body.source, "configuration");
  assertEquals((await api.ask("PATCH", "/settings/email", { body: { from } })).status, 400);
  const to = "someone@example.com";
  assertEquals((await api.ask("POST", "/settings/email/test", { body: { to } })).status, 200);
  assertEquals(smtp.mails[0].to, [to]);
});
