import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { firstTokens, refreshTokens, startDevice } from "../../../lib/accounts/mod.ts";
import { createApiKey, getApiKey, listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { sampleKey } from "../../store/samples.ts";
import { assertRedirect, type TestConsole, testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";

const path = "/console/account/devices";
const group = "default";

function start({ store, clock }: TestConsole) {
  return startDevice(store, clock.nowMs);
}

function poll({ store, directory, clock }: TestConsole, deviceCode: string) {
  return firstTokens({ store, directory, nowMs: clock.nowMs }, deviceCode);
}

testConsole("devices: a person confirms a code after signing in", async (console) => {
  const { userCode, deviceCode } = await start(console);
  const address = `${path}?user_code=${userCode}`;
  const anonymous = await console.browser().get(address);
  assertRedirect(anonymous, `/login?next=${encodeURIComponent(address)}`);
  const browser = await console.signedIn(member);
  assertStringIncludes((await browser.get(address)).html, `value="${userCode}"`);
  assertEquals(await poll(console, deviceCode), "authorization_pending"); // a look confirms nothing
  assertRedirect(await browser.post(path, { code: userCode, group }), `${path}?done=admitted`);
  const tokens = await poll(console, deviceCode);
  assert(typeof tokens === "object");
  assertEquals(tokens.email, member.email);
  const { entries: [entry] } = await listAuditEntries(console.store, { limit: 1 });
  assertEquals([entry.kind, entry.action, entry.actorId], ["key", "created", member.id]);
  const name = `Claude Code ${userCode}`;
  assertStringIncludes(textOf((await browser.get(`${path}?done=admitted`)).html), name);
  assertStringIncludes((await browser.get("/console/account")).html, `href="${path}"`);
});

testConsole("devices: a second browser, and a refused code, are told so", async (console) => {
  const first = await start(console);
  const [one, other] = [await console.signedIn(member), await console.signedIn(administrator)];
  await one.post(path, { code: first.userCode, group });
  const late = await other.post(path, { code: first.userCode, group });
  assertEquals(late.status, 422);
  assertStringIncludes(textOf(late.html), "This code was already used.");
  const second = await start(console);
  const refused = await one.post(path, { code: second.userCode, group, refuse: "true" });
  assertRedirect(refused, `${path}?done=refused`);
  assertEquals(await poll(console, second.deviceCode), "access_denied");
  assertEquals((await listApiKeys(console.store, { accountId: administrator.id })).length, 0);
});

testConsole("devices: guesses, foreign forms and groups sign nobody in", async (console) => {
  const { userCode, deviceCode } = await start(console);
  const browser = await console.signedIn(member);
  for (const code of ["", "0000-0000-0000", userCode.slice(0, -1)]) {
    const answer = await browser.post(path, { code, group });
    assertEquals(answer.status, 422);
    assertStringIncludes(textOf(answer.html), "Wrong or expired code.");
  }
  const form = { code: userCode, group };
  const forged = await browser.post(path, form, { origin: "https://evil.example" });
  assertEquals(forged.status, 403);
  const wrongGroup = await browser.post(path, { ...form, group: "coding" });
  assertStringIncludes(textOf(wrongGroup.html), "Choose one of your groups.");
  assertEquals(await poll(console, deviceCode), "authorization_pending");
  console.clock.nowMs += 21 * 60_000;
  assertEquals((await browser.post(path, form)).status, 422);
});

testConsole(
  "devices: wrong codes make their account wait, in every browser, and nobody else",
  async (console) => {
    const { userCode } = await start(console);
    const [one, other] = [await console.signedIn(member), await console.signedIn(member)];
    for (let n = 0; n < 5; n++) {
      assertEquals((await one.post(path, { code: `0000-0000-000${n}`, group })).status, 422);
    }
    const wait = await other.post(path, { code: userCode, group });
    assertEquals([wait.status, wait.headers.get("retry-after")], [429, "1"]);
    assertStringIncludes(textOf(wait.html), "Too many wrong codes. Try again in 1 second.");
    const ip = "198.51.100.7";
    const elsewhere = await console.signedIn(member, { ip });
    assertEquals((await elsewhere.post(path, { code: userCode, group })).status, 429);
    const stranger = await console.signedIn(administrator);
    assertEquals((await stranger.post(path, { code: "0000-0000-0000", group })).status, 422);
    console.clock.nowMs += 1_000;
    assertRedirect(await other.post(path, { code: userCode, group }), `${path}?done=admitted`);
  },
);

testConsole("devices: codes of the guesser's own buy no further guesses", async (console) => {
  const browser = await console.signedIn(member);
  let checked = 0;
  for (let n = 0; n < 50; n++) {
    const { userCode } = await start(console);
    const own = await browser.post(path, { code: userCode, group, refuse: "true" });
    const guess = await browser.post(path, { code: "0000-0000-0000", group });
    if (own.status === 303 && guess.status === 422) checked++;
  }
  assertEquals(checked, 5);
});

testConsole(
  "devices: lists of keys mark a device and never show it a new secret",
  async (console) => {
    const { userCode, deviceCode } = await start(console);
    const browser = await console.signedIn(member);
    await browser.post(path, { code: userCode, group });
    const tokens = await poll(console, deviceCode);
    assert(typeof tokens === "object");
    const [{ id }] = await listApiKeys(console.store, { accountId: member.id });
    await createApiKey(console.store, sampleKey({ accountId: member.id, id: "key_plain" }));
    const list = (await browser.get("/console/token")).html;
    assertEquals(list.match(/class="tag"[^>]*>Device</g)?.length, 1);
    assertEquals(list.match(/\/rotate"/g), ['/rotate"']);
    const page = (await browser.get(`/console/token/${id}`)).html;
    assertStringIncludes(page, ">Device</span>");
    assert(!page.includes(`/console/token/${id}/rotate`));
    const rotation = `/console/token/${id}/rotate`;
    assertEquals((await browser.get(rotation)).status, 403);
    assertEquals((await browser.post(rotation, { grace: "now" })).status, 403);
    const bulk = { action: "rotate", sure: "yes", key: id, grace: "now" };
    assertRedirect(await browser.post("/console/token/bulk", bulk), "/console/token");
    const edit = await browser.post(`/console/token/${id}/edit`, {
      ...{ name: "laptop", group, expiry: "never", "budget-day": "5" },
    });
    assertEquals(edit.status, 303);
    const edited = await getApiKey(console.store, id);
    assertEquals(edited?.name, "laptop");
    const services = { store: console.store, directory: console.directory };
    const next = await refreshTokens({ ...services, nowMs: console.clock.nowMs }, tokens.refresh);
    assert(typeof next === "object", "the edited device still refreshes");
  },
);

testConsole("devices: its owner, and nobody else, signs a device out", async (console) => {
  const { userCode } = await start(console);
  const [browser, other] = [await console.signedIn(member), await console.signedIn(administrator)];
  await browser.post(path, { code: userCode, group });
  const [{ id }] = await listApiKeys(console.store, { accountId: member.id });
  await createApiKey(console.store, sampleKey({ accountId: member.id, id: "key_plain" }));
  assertEquals((await other.post(path, { device: id })).status, 404);
  assertEquals((await browser.post(path, { device: "key_plain" })).status, 404);
  assertRedirect(await browser.post(path, { device: id }), `${path}?done=ended`);
  const left = await listApiKeys(console.store, { accountId: member.id });
  assertEquals(left.map((one) => one.id), ["key_plain"]);
});
