import { assert, assertEquals } from "@std/assert";
import { removeFolder } from "../../store/temp_store.ts";
import {
  assertAdvice,
  assertRefused,
  call,
  readiness,
  runOn,
  startGatedUpstream,
  startOnStore,
  untilReadiness,
} from "./outage.ts";

const cases: readonly {
  readonly name: string;
  /** Takes the file away. */
  readonly act: (path: string) => Promise<void>;
  /** The words of an audit afterwards. */
  readonly audited: RegExp;
}[] = [
  {
    name: "deleted with its side files",
    act: async (path) => {
      for (const side of ["", "-wal", "-shm"]) await Deno.remove(path + side);
    },
    audited: /missing or empty\. Restore it from a backup/,
  },
  {
    name: "moved away",
    act: (path) => Deno.rename(path, `${path}.old`),
    audited: /missing or empty\. Restore it from a backup/,
  },
  {
    name: "replaced by a file that is no store",
    act: async (path) => {
      for (const side of ["-wal", "-shm"]) await Deno.remove(path + side);
      await Deno.writeTextFile(`${path}.new`, "no database".repeat(1_000));
      await Deno.rename(`${path}.new`, path);
    },
    audited: /damaged, or is not a store.*restore a backup/,
  },
];

for (const { name, act, audited } of cases) {
  Deno.test(`a store file that is ${name}: nothing is answered that is not booked, and the operator reads what to restore`, async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/tessera.db`;
    await using upstream = startGatedUpstream();
    const server = await startOnStore(path, upstream);
    upstream.open();
    assertEquals((await call(server, "chat-completions", false)).status, 200);
    upstream.shut();
    const [whole, streamed] = [false, true].map((stream) => call(server, "messages", stream));
    await upstream.arrived(3);
    await act(path);
    const before = await sizeOf(path);
    upstream.open();
    const got = await Promise.all([whole, streamed]);
    assertEquals(got.map(({ status, code }) => [status, code]), [
      [503, "store_unavailable"],
      [200, "store_unavailable"],
    ]);
    for (const { ms } of got) assert(ms < 3_000, `${ms} ms`);
    const readyMs = await untilReadiness(server, 503, 4_500);
    const { body } = await readiness(server);
    assertEquals([body.failed, body.fault], ["store", "lost"]);
    const refused = await assertRefused(server, upstream);
    console.log(
      `${name}: in flight ${
        Math.max(...got.map(({ ms }) => ms))
      } ms, /readyz 503 after ${readyMs} ms, ` +
        `refused ${Math.max(...refused.map(({ ms }) => ms))} ms`,
    );
    assertEquals(await server.stop(), 1);
    assert(!/^\s+at /m.test(server.said()), server.said());
    assertEquals(await sizeOf(path), before, "nothing is written to what lies there now");
    assertAdvice(await runOn(path, "tools/audit.ts"), path, audited);
    assertAdvice(await runOn(path, "main.ts"), path, audited);
    await removeFolder(folder);
  });
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
