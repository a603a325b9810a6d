import { assertEquals } from "@std/assert";
import { sampleOf, startRig } from "../../bench/measure.ts";
import { requestOf } from "../../bench/requests.ts";
import { allShapes, type Shape, standardShapes } from "../../bench/shapes.ts";
import { startBareProxy, startGateway, type Subject } from "../../bench/subjects.ts";
import { withTempFolder } from "../store/temp_store.ts";

const source = new URL("../../", import.meta.url).pathname;
/** Smaller bodies of an agent miss their size: tools and system prompt alone take about 50 KB. */
const agentBytesMin = 200 * 1_024;

Deno.test("shapes: names are unique", () => {
  const names = allShapes.map(({ name }) => name);
  assertEquals(new Set(names).size, names.length);
});

for (const bodyBytes of [1_024, 20_480, 204_800, 10_000_000]) {
  Deno.test(`shapes: a body of ${bodyBytes} bytes has about that size in every format`, () => {
    for (const shape of allShapes) {
      if (shape.prompt === "agent" && bodyBytes < agentBytesMin) continue;
      const { request } = requestOf({ ...shape, bodyBytes });
      const [, body] = request.split("\r\n\r\n");
      const ratio = new TextEncoder().encode(body).length / bodyBytes;
      assertEquals(ratio > 0.6 && ratio < 1.4, true, `${shape.name}: ${ratio}`);
    }
  });
}

Deno.test("shapes: the gateway and the bare proxy answer each in full", async (t) => {
  await using rig = await startRig();
  await withTempFolder(async (folder) => {
    const { upstreamPort } = rig;
    const bare = await startBareProxy(upstreamPort);
    const tessera = await startGateway({ name: "tessera", source, folder, upstreamPort });
    for (const shape of standardShapes) {
      await t.step(`bare: ${shape.name}`, () => answers(bare, shape));
    }
    for (const shape of allShapes) {
      await t.step(`gateway: ${shape.name}`, () => answers(tessera, shape));
    }
    await Promise.all([bare.stop(), tessera.stop()]);
  });

  async function answers(subject: Subject, { rate: _, ...shape }: Shape): Promise<void> {
    const small = { ...shape, connections: 1, events: Math.min(shape.events, 5), intervalMs: 0 };
    const load = { durationMs: 10_000, callsMax: 1 };
    const { calls, firstError } = await sampleOf(rig, subject, small, load);
    assertEquals([calls, firstError], [1, undefined]);
  }
});
