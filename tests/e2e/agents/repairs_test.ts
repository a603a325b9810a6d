import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { installedCommand } from "../../../tools/agents.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
import { agents } from "./agents.ts";
import { runAgent } from "./run_agent.ts";

/** Claude Code reads an image with a model that refuses images, and goes on without it. */

/** A red pixel. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const runMsMax = 90_000;

const claudeCode = agents.find((one) => one.package === "claude-code");
const command = claudeCode && installedCommand("claude-code");
if (!command) console.log("Claude Code is not installed: run deno task agents");

Deno.test({
  name: "repairs: Claude Code leaves out an image that the model's upstream refuses",
  ignore: command === undefined,
  fn: async () => {
    assert(claudeCode && command);
    const home = await Deno.makeTempDir({ prefix: "tessera-agent-" });
    for (const path of [`${home}/work`, `${home}/tmp`]) await Deno.mkdir(path);
    const image = `${home}/work/pixel.png`;
    await Deno.writeFile(image, Uint8Array.fromBase64(png));
    const seen: string[] = [];
    await using upstream = startUpstream(({ body }) => {
      const hasImage = body.includes('"image_url"');
      const isRead = body.includes('"role":"tool"');
      const hasTools = body.includes('"tools"');
      seen.push(hasImage ? "refused" : isRead ? "answered" : hasTools ? "called" : "other");
      if (hasImage) {
        const message = "This model does not support image input";
        return Response.json({ error: { message, type: "invalid_request_error" } }, {
          status: 400,
        });
      }
      if (isRead || !hasTools) return streamed({ content: "Seen without the image" });
      const call = { name: "Read", arguments: JSON.stringify({ file_path: image }) };
      return streamed({
        tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }],
      });
    });
    await using gateway = await startGateway(
      oneUpstream({ "chat-completions": upstream.base }, { models: [{ id: claudeCode.model }] }),
    );
    const { env } = claudeCode.settings({
      base: gateway.base,
      key: testKey,
      model: claudeCode.model,
    });
    const { stdout, stderr, timedOut } = await runAgent({
      command,
      args: claudeCode.args("Look at the image"),
      env: { ...claudeCode.quiet, ...env },
      home,
      folder: `${home}/work`,
      timeoutMs: runMsMax,
    });
    await removeFolder(home);
    const shown = `${seen} ${stdout} ${stderr}`;
    console.log(shown);
    assert(!timedOut && stdout.includes("Seen without the image"), shown);
    const steps = seen.filter((one) => one !== "other");
    assertEquals(steps, ["called", "refused", "answered"]);
  },
});

/** A streamed answer of one chunk. */
function streamed(delta: JsonObject): Response {
  const finish_reason = delta.tool_calls ? "tool_calls" : "stop";
  const base = { id: "chatcmpl_1", object: "chat.completion.chunk", created: 1, model: "m" };
  const usage = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 };
  const chunks = [
    {
      ...base,
      choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }],
    },
    { ...base, choices: [{ index: 0, delta: {}, finish_reason }] },
    { ...base, choices: [], usage },
  ];
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
  return new Response(`${text}data: [DONE]\n\n`, {
    headers: { "content-type": "text/event-stream" },
  });
}
