import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../../lib/store/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { getSpent } from "../../../lib/store/money/mod.ts";
import { moneyRequest, TestIsolate } from "../../ledger/isolates.ts";
import { startPostgres } from "../../postgres_server.ts";
import { testOnPostgres } from "./postgres_store.ts";

/** `BREAKS=1000` breaks so many connections. */
const breaks = Number(Deno.env.get("BREAKS") ?? 60);
const [cost, callers] = [300n, 4];
const allowanceId = "budget:key:test:total";

testOnPostgres(
  `${breaks} connections that break between a commit and its answer neither lose nor double a charge`,
  async () => {
    await using server = await startPostgres({ settings: { fsync: "off" } });
    await using proxy = startBreakingProxy(server.port);
    const url = server.url("broken").replace(`:${server.port}/`, `:${proxy.port}/`);
    const store = await openStore({
      location: { type: "postgres", url },
      secret: "a-secret-of-tests",
    });
    proxy.start();
    const isolate = new TestIsolate(store, "breaking");
    const request = moneyRequest({ allowanceId, limit: 1_000_000_000n, amount: 1_000n });
    let calls = 0;
    await Promise.all(Array.from({ length: callers }, async () => {
      while (proxy.broken < breaks) {
        if (await isolate.call([request], cost).then(() => true, () => false)) calls++;
      }
    }));
    proxy.stop();
    await isolate.close();
    const spent = await getSpent(store, allowanceId);
    const { rows } = await listRequestLogs(store, { limit: 10 * calls });
    store.close();
    console.log(`  ${proxy.broken} broken, ${calls} calls, ${rows.length} rows`);
    assertEquals(spent, cost * BigInt(rows.length));
    assertEquals(new Set(rows.map(({ id }) => id)).size, rows.length);
    assertEquals(rows.length, calls);
    assert(proxy.broken >= breaks);
  },
);

/** Passes everything on, but closes a tenth of the connections that commit once the server has answered. */
function startBreakingProxy(port: number) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const sockets = new Set<Deno.TcpConn>();
  let [broken, isBreaking] = [0, false];
  const close = (...all: Deno.TcpConn[]) => {
    for (const socket of all) if (sockets.delete(socket)) socket.close();
  };
  const join = async (caller: Deno.TcpConn) => {
    const target = await Deno.connect({ hostname: "127.0.0.1", port });
    let isDoomed = false;
    sockets.add(caller).add(target);
    const pass = async (from: Deno.TcpConn, to: Deno.TcpConn) => {
      const buffer = new Uint8Array(65_536);
      for (let read = await from.read(buffer); read !== null; read = await from.read(buffer)) {
        const bytes = buffer.subarray(0, read);
        if (from === caller && isCommit(bytes)) isDoomed = isBreaking && Math.random() < 0.1;
        else if (from === target && isDoomed) {
          broken++;
          return;
        }
        for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await to.write(rest));
      }
    };
    await Promise.race([pass(caller, target), pass(target, caller)]).catch(() => {});
    close(caller, target);
  };
  const accepting = (async () => {
    for await (const caller of listener) void join(caller);
  })();
  return {
    port: listener.addr.port,
    get broken() {
      return broken;
    },
    start: () => void (isBreaking = true),
    stop: () => void (isBreaking = false),
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      close(...sockets);
    },
  };
}

/** A message that binds the prepared statement `commit`. */
function isCommit(bytes: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(bytes).includes("\0commit\0");
}
