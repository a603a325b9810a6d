import { assert, assertEquals } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { eventually, withTempFolder } from "../../store/temp_store.ts";
import { pieces, startUpstream } from "../fake_upstream.ts";
import { testKey } from "../gateway.ts";
import { bodySizes, ofSize, sizeInTurn } from "../load/sized_body.ts";
import { paidConfig, startPaidUpstream } from "../money/paid_upstream.ts";
import { startServer } from "../server_process.ts";

/** Stored and background responses after SIGKILL or SIGTERM. */

const model = "paid";

async function call(base: string, address: string, body?: JsonObject): Promise<JsonObject> {
  const [method, path] = address.split(" ");
  const response = await fetch(`${base}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return await response.json();
}

async function auditIn(folder: string) {
  const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
  const audit = await auditStore(store);
  const { rows } = await listRequestLogs(store, { limit: 100 });
  store.close();
  return { audit, rows };
}

Deno.test("a response that was read completely can be retrieved after a kill, whole or streamed", () =>
  withTempFolder(async (folder) => {
    await using upstream = startPaidUpstream();
    const config = paidConfig(upstream);
    for (const stream of [false, true]) {
      const first = await startServer(folder, { config });
      const response = await fetch(`${first.base}/v1/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
        body: JSON.stringify({ model, input: "hi ".repeat(50_000), stream }),
      });
      const text = await response.text();
      await first.kill();
      const told: JsonObject = stream
        ? JSON.parse(text.trim().split("\ndata: ").at(-1) ?? "").response
        : JSON.parse(text);
      const second = await startServer(folder, { config });
      assertEquals(await call(second.base, `GET /responses/${told.id}`), told);
      const next = await call(second.base, "POST /responses", {
        model,
        input: "and?",
        previous_response_id: told.id,
      });
      assertEquals(next.previous_response_id, told.id);
      await second.stop();
    }
    const { audit } = await auditIn(folder);
    assertEquals(audit.differences, []);
  }));

/** Says a word, and then nothing for ever. */
function startHangingUpstream() {
  const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model };
  const choices = [{ index: 0, delta: { role: "assistant", content: "Hm" }, finish_reason: null }];
  const text = `data: ${JSON.stringify({ ...chunk, choices })}\n\n`;
  return startUpstream(() =>
    new Response(pieces([text], { closes: false }), {
      headers: { "content-type": "text/event-stream" },
    })
  );
}

Deno.test("killed while a background response is made, it has failed, and is charged once", () =>
  withTempFolder(async (folder) => {
    await using upstream = startHangingUpstream();
    const config = paidConfig(upstream);
    const first = await startServer(folder, { config });
    const asked = { model, input: "hi", background: true };
    const { id } = await call(
      first.base,
      "POST /responses",
      ofSize("responses", asked, bodySizes[2].bytes),
    );
    assert(await eventually(() => upstream.seen.length === 1));
    const running = await call(first.base, `GET /responses/${id}`);
    assert(["queued", "in_progress"].includes(String(running.status)));
    await new Promise((resolve) => setTimeout(resolve, 2_500)); // a heart-beat sees the call
    await first.kill();
    const second = await startServer(folder, { config });
    assertEquals((await call(second.base, `GET /responses/${id}`)).status, "failed");
    await second.stop();
    const { audit, rows } = await auditIn(folder);
    assertEquals([audit.differences, rows.length], [[], 1]);
    assertEquals([rows[0].outcome, rows[0].errorCode], ["truncated", "interrupted"]);
  }));

/** A server is stopped while a background response runs; the next one states what became of it. */
function stopTest(
  name: string,
  { waitMs, limits, status }: {
    readonly waitMs: number;
    readonly limits?: Readonly<Record<string, number>>;
    readonly status: string;
  },
): void {
  Deno.test(name, () =>
    withTempFolder(async (folder) => {
      await using upstream = startPaidUpstream(({ stream }) => stream ? waitMs : 0);
      const config = { ...paidConfig(upstream), limits };
      const first = await startServer(folder, { config });
      const asked = { model, input: "hi", background: true };
      const { id } = await call(first.base, "POST /responses", asked);
      assert(await eventually(() => upstream.seen.length === 1));
      assertEquals(await first.stop(), 0);
      const second = await startServer(folder, { config });
      assertEquals((await call(second.base, `GET /responses/${id}`)).status, status);
      await second.stop();
      const { audit, rows } = await auditIn(folder);
      assertEquals([audit.differences, rows.length], [[], 1]);
      assertEquals(rows[0].outcome === "completed", status === "completed");
    }));
}

stopTest("on SIGTERM, a server lets its background responses end", {
  waitMs: 1_500,
  status: "completed",
});
stopTest("a server that stops gives up what does not end in time, and says so", {
  waitMs: 60_000,
  limits: { stopGraceMs: 500 },
  status: "failed",
});

Deno.test("isolates of one server: any of them shows, streams and cancels what another one makes", () =>
  withTempFolder(async (folder) => {
    await using upstream = startPaidUpstream(({ stream }) => stream ? 60_000 : 0);
    const server = await startServer(folder, { config: paidConfig(upstream), isolates: 2 });
    const asked = { model, input: "hi", background: true };
    const queued = await Promise.all(
      Array.from(
        { length: 8 },
        (_, at) =>
          call(server.base, "POST /responses", ofSize("responses", asked, sizeInTurn(at).bytes)),
      ),
    );
    assert(await eventually(() => upstream.seen.length === 8));
    for (const { id } of queued) {
      const told = await call(server.base, `POST /responses/${id}/cancel`);
      assertEquals(told.status, "cancelled");
    }
    await Promise.all(upstream.seen.map(({ aborted }) => aborted));
    await server.stop();
    const { audit, rows } = await auditIn(folder);
    assertEquals([audit.differences, rows.length], [[], 8]);
    assertEquals(new Set(rows.map(({ outcome }) => outcome)), new Set(["client_gone"]));
  }));
