import { assertStringIncludes } from "@std/assert";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { canRun } from "../../can_run.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, testKey } from "../gateway.ts";
import { freePort, startServer } from "../server_process.ts";

/** The OpenTelemetry Collector: `TESSERA_OTELCOL`, or `otelcol` on the path. */
const collector = Deno.env.get("TESSERA_OTELCOL") ?? "otelcol";
const isInstalled = await canRun(collector, ["--help"]);
if (!isInstalled) console.log("No OpenTelemetry Collector found: its test is ignored");

Deno.test({
  name: "telemetry: the OpenTelemetry Collector reads spans and metrics of a call",
  ignore: !isInstalled,
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const port = freePort();
    const running = await startCollector(folder, port);
    await using upstream = startUpstream(() => Response.json(chatAnswer()));
    const server = await startServer(folder, {
      config: oneUpstream({ "chat-completions": `${upstream.base}/v1` }),
      env: { OTEL_DENO: "true", OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
    });
    const response = await fetch(`${server.base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}` },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] }),
    });
    await response.text();
    await server.stop();
    const text = await running.stop();
    await removeFolder(folder);
    for (const part of received) assertStringIncludes(text, part);
  },
});

/** As the collector prints them. */
const received = [
  ": chat m\n",
  "-> gen_ai.operation.name: Str(chat)",
  "-> gen_ai.usage.input_tokens: Int(5)",
  '-> gen_ai.response.finish_reasons: Slice(["stop"])',
  "-> Name: gen_ai.client.operation.duration",
  "-> Name: gen_ai.client.token.usage",
];

/** Starts a collector that prints what it receives. */
async function startCollector(folder: string, port: number) {
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { debug: { verbosity: "detailed" } },
    service: {
      telemetry: { metrics: { level: "none" } },
      pipelines: {
        traces: { receivers: ["otlp"], exporters: ["debug"] },
        metrics: { receivers: ["otlp"], exporters: ["debug"] },
      },
    },
  };
  const path = `${folder}/collector.yaml`; // JSON is YAML
  await Deno.writeTextFile(path, JSON.stringify(config));
  const process = new Deno.Command(collector, {
    args: ["--config", `file:${path}`],
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const said = new Response(process.stderr).text();
  await untilListening(port);
  return {
    stop: async () => {
      process.kill("SIGTERM");
      await process.status;
      return await said;
    },
  };
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      return (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error("The collector does not listen");
}
