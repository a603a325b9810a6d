import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { type Settings, updateSettings } from "../../../lib/store/catalog/mod.ts";
import { balanceOf } from "../../../lib/store/money/mod.ts";
import { getUserByEmail } from "../../../lib/store/users/mod.ts";
import { eventually } from "../../store/temp_store.ts";
import { assertRedirect, type TestConsole, testConsole, textOf } from "../console.ts";
import { member } from "../people.ts";

const password = "correct horse battery";

async function set({ store, directory }: TestConsole, settings: Partial<Settings>): Promise<void> {
  await updateSettings(store, (current) => ({ ...current, ...settings }));
  const isSet = () => directory.settings().signUp === (settings.signUp ?? "invitation");
  assert(await eventually(isSet));
}

for (const signUp of ["closed", "invitation"] as const) {
  testConsole(`sign-up: there is none while it is ${signUp}`, async (console) => {
    await set(console, { signUp });
    const browser = console.browser();
    assert(!(await browser.get("/login")).html.includes("/signup"));
    const page = await browser.get("/signup");
    assertEquals(page.status, 404);
    assertStringIncludes(textOf(page.html), "Sign-up is closed");
    const form = { email: "lea@example.com", password };
    assertEquals((await browser.post("/signup", form)).status, 404);
    assertEquals(await getUserByEmail(console.store, "lea@example.com"), undefined);
  });
}

testConsole("sign-up: who signs up is a member without money, and signed in", async (console) => {
  const { store } = console;
  await set(console, { signUp: "open" });
  const browser = console.browser();
  assertStringIncludes((await browser.get("/login")).html, 'href="/signup"');
  assertStringIncludes((await browser.get("/signup")).html, 'autocomplete="new-password"');
  const short = await browser.post("/signup", { email: "lea", password: "short" });
  assertEquals(short.status, 422);
  assertStringIncludes(textOf(short.html), "Enter an e-mail address");
  assertRedirect(await browser.post("/signup", { email: "Lea@example.com", password }), "/console");
  assertEquals((await browser.get("/console")).status, 200);
  assertEquals((await browser.get("/console/admin/users")).status, 403);
  const lea = await getUserByEmail(store, "lea@example.com");
  assertEquals([lea?.role, lea?.spending], ["member", "prepaid"]);
  assertEquals(await balanceOf(store, lea?.id ?? ""), 0n);
  assertStringIncludes((await browser.get("/console/token/new")).html, 'value="default"');
  const [entry] = (await listAuditEntries(store, { limit: 1 })).entries;
  assertEquals([entry.action, entry.actorId, entry.ip], ["joined", lea?.id, "203.0.113.7"]);
});

testConsole("sign-up: a taken address and another domain look the same", async (console) => {
  await set(console, { signUp: "open", signUpDomains: ["example.com"] });
  const browser = console.browser();
  assertStringIncludes(textOf((await browser.get("/signup")).html), "Only e-mail addresses at");
  const [taken, other] = [
    await browser.post("/signup", { email: member.email, password }),
    await browser.post("/signup", { email: "lea@elsewhere.test", password }),
  ];
  assertEquals([taken.status, other.status], [422, 422]);
  const said = ({ html }: typeof taken) => /role="alert"[\s\S]*?<p>(.*?)<\/p>/.exec(html)?.[1];
  assertStringIncludes(said(taken) ?? "", "This address cannot be used to sign up.");
  assertEquals(said(taken), said(other));
});

testConsole("sign-up: an address that asks for many accounts waits", async (console) => {
  await set(console, { signUp: "open" });
  for (let n = 0; n < 5; n++) {
    await console.browser().post("/signup", { email: `${n}@example.com`, password });
  }
  const answer = await console.browser().post("/signup", { email: "a@example.com", password });
  assertEquals(answer.status, 429);
  assertStringIncludes(textOf(answer.html), "Too many attempts. Try again in");
});
