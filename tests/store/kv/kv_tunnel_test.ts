import { assert, assertEquals, assertRejects } from "@std/assert";
import { KvTunnel } from "../../../lib/store/kv/kv_tunnel.ts";
import { denokvPath, startDenokv } from "../../e2e/money/denokv.ts";
import { withTempFolder } from "../temp_store.ts";

/** Without the tunnel, each of these operations takes at least 40 ms. */
const fastMs = 20;

function withTunnel(run: (kv: Deno.Kv, tunnel: KvTunnel) => Promise<void>) {
  return () =>
    withTempFolder(async (folder) => {
      await using server = await startDenokv(folder);
      const tunnel = new KvTunnel(server.location.url);
      const kv = await Deno.openKv(tunnel.url);
      await run(kv, tunnel);
      kv.close();
      tunnel.close();
    });
}

Deno.test({
  name: "commits and reads of any size pass a tunnel without a delayed acknowledgement",
  ignore: denokvPath === undefined,
  fn: withTunnel(async (kv) => {
    for (const size of [10, 1_200, 20_000, 60_000]) {
      const value = crypto.getRandomValues(new Uint8Array(size));
      const fastest = { set: Infinity, get: Infinity };
      for (let round = 0; round < 20; round++) {
        const startedAt = performance.now();
        await kv.set(["value"], value);
        const setAt = performance.now();
        assertEquals((await kv.get(["value"])).value, value);
        fastest.set = Math.min(fastest.set, setAt - startedAt);
        fastest.get = Math.min(fastest.get, performance.now() - setAt);
      }
      assert(fastest.set < fastMs, `${size} bytes: written in ${fastest.set} ms`);
      assert(fastest.get < fastMs, `${size} bytes: read in ${fastest.get} ms`);
    }
  }),
});

Deno.test({
  name: "many large values at once pass a tunnel unchanged",
  ignore: denokvPath === undefined,
  fn: withTunnel(async (kv) => {
    const values = Array.from(
      { length: 60 },
      () => crypto.getRandomValues(new Uint8Array(60_000)),
    );
    await Promise.all(values.map((value, at) => kv.set(["value", at], value)));
    const entries = await Promise.all(values.map((_, at) => kv.get(["value", at])));
    assertEquals(entries.map(({ value }) => value), values);
  }),
});

Deno.test({
  name: "a tunnel that has ended makes the client give up what it would repeat for ever",
  ignore: denokvPath === undefined,
  fn: withTunnel(async (kv, tunnel) => {
    await kv.get(["value"]); // connects
    const running = [kv.set(["value"], new Uint8Array(60_000)), kv.get(["value"])];
    tunnel.end();
    await Promise.allSettled(running); // some may have been answered
    await assertRejects(() => kv.set(["value"], 1), Error, "status=400");
  }),
});
