import { metrics, trace } from "@opentelemetry/api";
import { assert, assertEquals } from "@std/assert";
import { welcome } from "../lib/telemetry/mod.ts";
import { runCli } from "./cli/console_terminal.ts";
import { startGateway } from "./e2e/gateway.ts";

const { version } = JSON.parse(
  await Deno.readTextFile(new URL("../deno.json", import.meta.url)),
);

Deno.test("version: GET /version states it without a key, and the API's description too", async () => {
  await using gateway = await startGateway();
  const answer = await fetch(`${gateway.base}/version`);
  assertEquals([answer.status, await answer.json()], [200, { version }]);
  const { info } = await (await fetch(`${gateway.base}/openapi.json`)).json();
  assertEquals(info.version, version);
});

Deno.test("version: the start's first line states it", () => {
  assert(welcome("http://127.0.0.1:8000", {}, "m").startsWith(`Tessera ${version} is running at `));
});

Deno.test("version: tessera --version prints it", async () => {
  assertEquals(await runCli(["--version"]), { code: 0, out: version, err: "" });
});

Deno.test("version: spans and metrics of calls carry it", async () => {
  const asked: (string | undefined)[] = [];
  const [{ getTracer }, { getMeter }] = [trace, metrics];
  trace.getTracer = (name, version) => {
    asked.push(name, version);
    return getTracer.call(trace, name, version);
  };
  metrics.getMeter = (name, version) => {
    asked.push(name, version);
    return getMeter.call(metrics, name, version);
  };
  try {
    await using _ = await startGateway();
  } finally {
    Object.assign(trace, { getTracer });
    Object.assign(metrics, { getMeter });
  }
  assertEquals(asked.slice(-4), ["tessera", version, "tessera", version]);
});
