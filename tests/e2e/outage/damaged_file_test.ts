import { assert, assertEquals } from "@std/assert";
import { removeFolder } from "../../store/temp_store.ts";
import {
  assertAdvice,
  assertAudited,
  assertRefused,
  call,
  makeStore,
  readiness,
  runOn,
  startGatedUpstream,
  startOnStore,
  untilReadiness,
} from "./outage.ts";

const cases: readonly {
  readonly name: string;
  readonly act: (path: string) => Promise<void>;
  readonly advice: RegExp;
}[] = [
  {
    name: "overwritten with garbage",
    act: async (path) => {
      for (const side of ["", "-wal"]) await overwrite(path + side);
    },
    advice: /damaged, or is not a store.*restore a backup/,
  },
  {
    name: "truncated to nothing",
    act: async (path) => {
      for (const side of ["", "-wal"]) await Deno.truncate(path + side, 0);
    },
    advice: /missing or empty\. Restore it from a backup/,
  },
];

for (const { name, act, advice } of cases) {
  Deno.test(`a store file that is ${name} while the gateway runs: calls are refused, and no stack trace follows`, async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/tessera.db`;
    await using upstream = startGatedUpstream();
    upstream.open();
    const server = await startOnStore(path, upstream);
    const before = await Promise.all(
      Array.from({ length: 8 }, () => call(server, "chat-completions", false)),
    );
    assertEquals(before.map(({ status }) => status), Array(8).fill(200));
    await act(path);
    const readyMs = await untilReadiness(server, 503, 8_000);
    const { body } = await readiness(server);
    assertEquals([body.failed, body.fault], ["store", "corrupted"]);
    const refused = await assertRefused(server, upstream);
    console.log(
      `${name}: /readyz 503 after ${readyMs} ms, refused ${
        Math.max(...refused.map(({ ms }) => ms))
      } ms`,
    );
    assertEquals(await server.stop(), 1);
    assert(!/^\s+at /m.test(server.said()), server.said());
    assertAdvice(await runOn(path, "tools/audit.ts"), path, advice);
    assertAdvice(await runOn(path, "main.ts"), path, advice);
    await removeFolder(folder);
  });
}

Deno.test("a few damaged pages that nobody reads are found while the gateway runs, and by an audit", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/tessera.db`;
  await makeStore(path);
  await overwrite(path, { from: 200, pages: 5 });
  await using upstream = startGatedUpstream();
  upstream.open();
  const server = await startOnStore(path, upstream, { storeCheckMs: 500 });
  const readyMs = await untilReadiness(server, 503, 10_000);
  assertEquals((await readiness(server)).body.fault, "corrupted");
  await assertRefused(server, upstream);
  console.log(`damaged pages: /readyz 503 after ${readyMs} ms`);
  assertEquals(await server.stop(), 1);
  assertAdvice(await runOn(path, "tools/audit.ts"), path, /damaged.*restore a backup/);
  await removeFolder(folder);
});

Deno.test("a sound store is checked again and again beside its calls, and stays ready", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/tessera.db`;
  await makeStore(path);
  await using upstream = startGatedUpstream();
  upstream.open();
  const server = await startOnStore(path, upstream, { storeCheckMs: 50 });
  for (let round = 0; round < 10; round++) {
    const got = await Promise.all([true, false].map((stream) => call(server, "messages", stream)));
    assertEquals(got.map(({ status, code }) => [status, code]), Array(2).fill([200, undefined]));
  }
  assertEquals((await readiness(server)).status, 200);
  assertEquals(await server.stop(), 0);
  assertAudited(await runOn(path, "tools/audit.ts"));
  await removeFolder(folder);
});

const pageBytes = 4_096;

async function overwrite(
  path: string,
  { from = 0, pages = Infinity }: { readonly from?: number; readonly pages?: number } = {},
): Promise<void> {
  const size = Math.min((await Deno.stat(path)).size, (from + pages) * pageBytes);
  using file = await Deno.open(path, { write: true });
  await file.seek(from * pageBytes, Deno.SeekMode.Start);
  for (let at = from * pageBytes; at < size; at += pageBytes) {
    await file.write(crypto.getRandomValues(new Uint8Array(Math.min(pageBytes, size - at))));
  }
}
