import { assertEquals } from "@std/assert";
import type { Cloud } from "../../../lib/store/catalog/mod.ts";
import { installedCommand } from "../../../tools/agents.ts";
import { serveLoopback } from "../fake_upstream.ts";
import { agents } from "./agents.ts";
import { assertDone, runCell, startCell } from "./cell.ts";
import { tasks } from "./tasks.ts";

/** Unmodified agents whose model is Claude in a cloud, served as strictly as by its vendor. */

interface CloudCase {
  readonly name: string;
  readonly cloud: Cloud;
  readonly model: string;
  /** The path of each request, with the model and the version in its body. */
  readonly asked: readonly string[];
}

const cases: readonly CloudCase[] = [
  {
    name: "Bedrock Messages",
    cloud: { surface: "bedrock", region: "us-east-1" },
    model: "us.anthropic.claude-opus-5",
    asked: ["/v1/messages us.anthropic.claude-opus-5"],
  },
  {
    name: "Vertex Claude",
    cloud: { surface: "vertex", project: "p1", location: "global" },
    model: "claude-opus-5",
    asked: [
      "/models/claude-opus-5:streamRawPredict vertex-2023-10-16",
    ],
  },
];

const task = tasks[tasks.length - 1];
/** Vertex names the model in the path, and the version of the vendor's API in the body. */
const vertexPath = /\/models\/([^/:]+):(?:stream)?[rR]awPredict$/;

/** Turns a cloud's request into one of the vendor, which the strict upstream judges. */
function startCloud(vendorOf: () => string, seen: string[]) {
  return serveLoopback(async (request) => {
    const path = new URL(request.url).pathname;
    const body = await request.json();
    const model = vertexPath.exec(path)?.[1];
    seen.push([path, body.model, body.anthropic_version].filter(Boolean).join(" "));
    const { anthropic_version: _, ...rest } = body;
    const headers = new Headers({
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "x-api-key": request.headers.get("authorization")?.replace("Bearer ", "") ?? "",
    });
    const betas = request.headers.get("anthropic-beta");
    if (betas) headers.set("anthropic-beta", betas);
    return await fetch(`${vendorOf()}/v1/messages`, {
      method: "POST",
      headers,
      body: JSON.stringify(model === undefined ? rest : { ...rest, model }),
    });
  });
}

for (const agent of agents.filter(({ name }) => name === "Claude Code" || name === "Codex")) {
  const command = installedCommand(agent.package);
  if (command === undefined) console.log(`${agent.name} is not installed: run deno task agents`);
  for (const { name, cloud, model, asked } of cases) {
    Deno.test({
      name: `agents: ${agent.name} → ${name}`,
      ignore: command === undefined,
      fn: async () => {
        let vendor = "";
        const seen: string[] = [];
        await using between = startCloud(() => vendor, seen);
        const kind = { name, format: "messages", model } as const;
        await using cell = await startCell(agent, kind, task, (base) => {
          vendor = base;
          return { base: between.base, fields: { cloud } };
        });
        await assertDone(cell, await runCell(cell, command ?? ""));
        assertEquals(new Set(seen), new Set(asked));
      },
    });
  }
}
