import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { adminServices, provideAdmin } from "../../../lib/admin/services.ts";
import { archiveLog } from "../../../lib/archive/mod.ts";
import { memoryPlace } from "../../archive/archived_store.ts";
import { type TestConsole, testConsole } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall } from "../records.ts";
import { callIdAt } from "./call_id.ts";

const dayMs = 86_400_000;

/** A member's call of now and one of five days ago, which is in the archive. */
async function withArchive({ store }: TestConsole, place = memoryPlace()) {
  const [recent, old] = [callIdAt(60_000, 1), callIdAt(5 * dayMs, 2)];
  for (const call of [recent, old]) await addCall(store, { ...call, accountId: member.id });
  const services = adminServices();
  assert(services);
  provideAdmin({ ...services, archive: place });
  await archiveLog({ store, place, keepDays: 2, nowMs });
  assert(place.files.size > 0);
  return { recent, old };
}

testConsole("archive: an export reads the archived calls, too", async (console) => {
  const { recent, old } = await withArchive(console);
  const browser = await console.signedIn(member);
  const { html } = await browser.get("/console/log/export?as=jsonl");
  const ids = html.trimEnd().split("\n").map((line) => JSON.parse(line).request_id);
  assertEquals(ids, [recent.id, old.id]);
});

testConsole(
  "archive: the list says which days are in it, and a call's page reads it",
  async (console) => {
    const { recent, old } = await withArchive(console);
    const browser = await console.signedIn(member);
    const list = await browser.get("/console/log");
    assertStringIncludes(list.html, recent.id);
    assert(!list.html.includes(old.id));
    assertStringIncludes(
      list.html,
      `Calls of ${new Date(old.atMs).toISOString().slice(0, 10)} (UTC)`,
    );
    const { status, html } = await browser.get(`/console/log/${old.id}`);
    assertEquals(status, 200);
    assertStringIncludes(html, "tessera-echo");
  },
);

testConsole("archive: another account's archived call does not exist", async (console) => {
  const { store } = console;
  await addCall(store, { ...callIdAt(6 * dayMs, 3), accountId: administrator.id });
  await withArchive(console);
  const browser = await console.signedIn(member);
  const { status, html } = await browser.get(`/console/log/${callIdAt(6 * dayMs, 3).id}`);
  assertEquals(status, 404);
  assertStringIncludes(html, "Not found in the log or its archive");
});

testConsole("archive: a call's page says that the archive cannot be read", async (console) => {
  const place = memoryPlace();
  const { recent, old } = await withArchive(console, place);
  place.files.clear();
  const browser = await console.signedIn(member);
  const { status, html } = await browser.get(`/console/log/${old.id}`);
  assertEquals(status, 503);
  assertStringIncludes(html, "It is busy or does not answer");
  assertEquals((await browser.get(`/console/log/${recent.id}`)).status, 200);
});

testConsole(
  "archive: an account reads one file at a time, whatever IDs it tries",
  async (console) => {
    let [reading, most] = [0, 0];
    const kept = memoryPlace();
    const get = async (name: string) => {
      most = Math.max(most, ++reading);
      await new Promise((resolve) => setTimeout(resolve, 100));
      reading--;
      return await kept.get(name);
    };
    const { old } = await withArchive(console, { ...kept, get });
    most = 0;
    const browser = await console.signedIn(member);
    const pages = await Promise.all(
      Array.from({ length: 6 }, () => browser.get(`/console/log/${old.id}`)),
    );
    assertEquals(most, 1);
    const statuses = new Set(pages.map(({ status }) => status));
    assertEquals(statuses, new Set([200, 503]));
    assertEquals((await browser.get(`/console/log/${old.id}`)).status, 200);
  },
);
