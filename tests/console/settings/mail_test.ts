import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { adminServices, provideAdmin } from "../../../lib/admin/services.ts";
import type { MailReader, MailTest } from "../../../lib/mail/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { getMailServer } from "../../../lib/store/mail/mod.ts";
import { getUser } from "../../../lib/store/users/mod.ts";
import { assertRedirect, type TestConsole, testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";

const path = "/console/admin/settings/mail";
const form = {
  action: "save",
  host: "smtp.example.com",
  port: "",
  security: "starttls",
  username: "gateway",
  password: "s3cr3t-word",
  from: "tessera@example.com",
};

function provideMail(test: (reader: MailReader) => MailTest): void {
  const services = adminServices();
  assert(services);
  provideAdmin({
    ...services,
    alerts: {
      test: () => Promise.resolve(undefined),
      testMail: (reader) => Promise.resolve(test(reader)),
    },
  });
}

async function pageText(console: TestConsole): Promise<string> {
  return textOf((await (await console.signedIn(administrator)).get(path)).html);
}

testConsole(
  "mail settings: saved, kept and removed; the password is never shown",
  async (console) => {
    const { store } = console;
    const browser = await console.signedIn(administrator);
    assertStringIncludes(
      textOf((await browser.get("/console/admin/settings")).html),
      "Set up e-mail",
    );
    assertRedirect(await browser.post(path, form), `${path}?done=saved`);
    assertEquals((await getMailServer(store))?.port, 587);
    const { html } = await browser.get(path);
    assert(!html.includes("s3cr3t-word"));
    assertRedirect(
      await browser.post(path, { ...form, password: "", from: "other@example.com" }),
      `${path}?done=saved`,
    );
    const kept = await getMailServer(store);
    assertEquals([kept?.password, kept?.from], ["s3cr3t-word", "other@example.com"]);
    const moved = await browser.post(path, { ...form, password: "", host: "evil.example.com" });
    assertEquals(moved.status, 422);
    assertStringIncludes(textOf(moved.html), "Enter the password of this user.");
    const { entries } = await listAuditEntries(store, { limit: 9 });
    assert(!JSON.stringify(entries).includes("s3cr3t-word"));
    assertEquals(entries.map(({ targetId }) => targetId), ["email", "email"]);
    assertRedirect(await browser.post(path, { action: "remove" }), `${path}?done=removed`);
    assertEquals(await getMailServer(store), undefined);
  },
);

const wrong = [
  [{ host: "smtp example" }, "Enter a host name or an IP address"],
  [{ port: "70000" }, "Enter a port from 1 to 65535"],
  [{ security: "maybe" }, "Choose an option."],
  [{ username: "" }, "Enter a user name of one line"],
  [{ from: "A <a@example.com>" }, "Enter one e-mail address"],
] as const;

testConsole("mail settings: each wrong field is named", async (console) => {
  const browser = await console.signedIn(administrator);
  for (const [fields, fault] of wrong) {
    const answer = await browser.post(path, { ...form, ...fields });
    assertEquals(answer.status, 422);
    assertStringIncludes(textOf(answer.html), fault);
  }
  assertEquals(await getMailServer(console.store), undefined);
});

testConsole("mail settings: a test says in words what is wrong", async (console) => {
  const browser = await console.signedIn(administrator);
  assertEquals((await browser.post(path, { action: "test" })).status, 404);
  let result: MailTest = "delivered";
  provideMail(({ email }) => email === administrator.email ? result : "delivered");
  assertRedirect(await browser.post(path, { action: "test" }), path);
  const sent = textOf((await browser.get(path)).html);
  assertStringIncludes(sent, `Test e-mail sent to ${administrator.email}.`);
  result = {
    fault: "authentication",
    status: 535,
    words: "5.7.8 <b>Bad</b>",
    isPermanent: false,
    isOfMail: false,
  };
  assertRedirect(await browser.post(path, { action: "test" }), path);
  const { html } = await browser.get(path);
  const fault =
    "Test e-mail not sent: The mail server refused the user name or the password (535).";
  assertStringIncludes(textOf(html), fault);
  assert(!html.includes("<b>Bad</b>"));
  assert(!(await pageText(console)).includes(fault), "told again after a reload");
});

testConsole("mails: a user chooses them, in the language of the console", async (console) => {
  const browser = await console.signedIn(member);
  assertStringIncludes(textOf((await browser.get("/console/account")).html), "Alerts about my");
  const done = "/console/account?done=mail-saved";
  assertRedirect(await browser.post("/console/account/mail", { report: "on" }), done);
  assertEquals((await getUser(console.store, member.id))?.mail, { alerts: false });
  await browser.get("/console", { "accept-language": "zh-CN" });
  assertEquals((await getUser(console.store, member.id))?.mail, { alerts: false, locale: "zh-CN" });
});
