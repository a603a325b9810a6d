import { assertEquals } from "@std/assert";
import { streamsOfAccountMax } from "../../../lib/admin/services.ts";
import { listConnectionChecks } from "../../../lib/store/api_keys/mod.ts";
import { type TestConsole, testConsole } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addKey } from "../records.ts";

const paths = ["/console/connect/events?key=key_m", "/console/log/live"];

/** Asks for a stream with a browser's session, and leaves it open. */
async function listener(console: TestConsole, who: typeof member) {
  return listenerWith(console, (await console.signedIn(who)).cookies);
}

function listenerWith(console: TestConsole, cookies: ReadonlyMap<string, string>) {
  const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
  return (path: string, method = "GET") =>
    console.fetch(new Request(`http://localhost${path}`, { method, headers: { cookie } }));
}

for (const path of paths) {
  testConsole(
    `${path}: nobody listens without bound, and who leaves makes room`,
    async (console) => {
      await addKey(console.store, { id: "key_m", accountId: member.id });
      const listen = await listener(console, member);
      for (let n = 0; n < streamsOfAccountMax; n++) await listen(path, "HEAD");
      const open: Response[] = [];
      for (let n = 0; n < streamsOfAccountMax; n++) open.push(await listen(path));
      assertEquals(new Set(open.map(({ status }) => status)), new Set([200]));
      const refused = await listen(path);
      assertEquals(refused.status, 429);
      await refused.body?.cancel();
      const other = await (await listener(console, administrator))("/console/log/live");
      assertEquals(other.status, 200, "another account is not held up");
      await open[0].body?.cancel();
      const next = await listen(path);
      assertEquals(next.status, 200);
      await Promise.all([...open.slice(1), next, other].map(({ body }) => body?.cancel()));
    },
  );
}

testConsole("who looks at another's console takes none of the other's streams", async (console) => {
  const browser = await console.signedIn(administrator);
  await browser.post(`/console/admin/users/${member.id}/view`, {});
  const look = listenerWith(console, browser.cookies);
  const open: Response[] = [];
  for (let n = 0; n < streamsOfAccountMax; n++) open.push(await look("/console/log/live"));
  assertEquals(new Set(open.map(({ status }) => status)), new Set([200]));
  const own = await (await listener(console, member))("/console/log/live");
  assertEquals(own.status, 200);
  await Promise.all([...open, own].map(({ body }) => body?.cancel()));
});

testConsole(
  "who looks at another's console opens no check in the other's name",
  async (console) => {
    const { store } = console;
    await addKey(store, { id: "key_m", accountId: member.id });
    const browser = await console.signedIn(administrator);
    await browser.post(`/console/admin/users/${member.id}/view`, {});
    for (
      const path of ["/console/connect/events?key=key_m", "/console/connect?key=key_m&since=1"]
    ) {
      assertEquals((await browser.get(path)).status, 200);
      assertEquals(await listConnectionChecks(store), []);
    }
  },
);
