import { assert, assertEquals } from "@std/assert";
import { testModel } from "../../lib/upstreams/probe.ts";
import { startUpstream } from "../e2e/fake_upstream.ts";
import { chatAnswer } from "../formats/whole_answer.ts";
import { sampleUpstream, send } from "./probe_sample.ts";

const caller = new AbortController().signal;

Deno.test("testModel requests a short answer by the upstream's own name, and reports its tokens", async () => {
  await using upstream = startUpstream(() =>
    Response.json(
      chatAnswer({ content: "OK" }, {
        model: "own-name",
        usage: { prompt_tokens: 12, completion_tokens: 1, total_tokens: 13 },
      }),
    )
  );
  const record = sampleUpstream({ endpoints: { "chat-completions": `${upstream.base}/v1` } });
  const asked = { id: "public", upstreamModel: "own-name" };
  const { tookMs, ...report } = await testModel(record, asked, { send, caller });
  assert(tookMs >= 0);
  assertEquals(report, { model: "public", tokens: { input: 12, output: 1 } });
  const [{ path, body }] = upstream.seen;
  const { model, messages, ...rest } = JSON.parse(String(body));
  assertEquals([path, model, messages.length], ["/v1/chat/completions", "own-name", 1]);
  assertEquals(Math.max(...Object.values(rest).filter((one) => typeof one === "number")), 16);
});

Deno.test("testModel reports a refusal in the upstream's words, without the credential", async () => {
  await using upstream = startUpstream(() =>
    Response.json({ error: { message: "No model x for up-secret" } }, { status: 404 })
  );
  const record = sampleUpstream({ endpoints: { "chat-completions": `${upstream.base}/v1` } });
  const { fault } = await testModel(record, { id: "x" }, { send, caller });
  assertEquals(fault?.status, 404);
  assert(fault?.said.includes("No model x for …"), fault?.said);
});

Deno.test("testModel rejects an answer that is not of the format", async () => {
  await using upstream = startUpstream(() => new Response("<html>Welcome</html>"));
  const record = sampleUpstream({ endpoints: { messages: upstream.base } });
  const { fault } = await testModel(record, { id: "x" }, { send, caller });
  assertEquals(fault?.code, "upstream_invalid_response");
});
