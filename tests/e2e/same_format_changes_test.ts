import { assertEquals } from "@std/assert";
import { pieces, startUpstream } from "./fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "./gateway.ts";

/** The changes that a call in its own format may get, as the fidelity page lists them: no other byte. */

const head = '"id":"c1","object":"chat.completion.chunk","created":1,"model":"m"';
const said =
  `data: {${head},"choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}],"x":1.0}\n\n`;
const finished = `data: {${head},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n`;
const usage =
  `data: {${head},"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}\n\n`;
const done = "data: [DONE]\n\n";

const chat = {
  path: "/v1/chat/completions",
  body:
    '{ "model":"m", "messages":[{"role":"user","content":"hi"}], "x_unknown":1.0, "stream":true }',
};
const asking = chat.body.replace(
  '"stream":true',
  '"stream":true, "stream_options":{"include_usage":true}',
);

const start =
  'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":7,"output_tokens":1}}}\n\n';
const ended =
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}\n\n';
const stop = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
const message = {
  path: "/v1/messages",
  body:
    '{ "model":"m", "max_tokens":9, "messages":[{"role":"user","content":"hi"}], "stream":true }',
};

const cases = [
  {
    name: "chat: the usage chunk is for metering only",
    asked: chat,
    stream: [said, finished, usage, done],
    got: [said, finished, done],
  },
  {
    name: "chat: a caller who requested the usage chunk gets it",
    asked: { ...chat, body: asking },
    stream: [said, finished, usage, done],
    got: [said, finished, usage, done],
  },
  {
    name: "chat: usage beside a choice is the upstream's own",
    asked: chat,
    stream: [said, finished.replace("]}", '],"usage":{"prompt_tokens":7}}'), done],
    got: [said, finished.replace("]}", '],"usage":{"prompt_tokens":7}}'), done],
  },
  {
    name: "chat: a finished stream without its end mark gets the mark",
    asked: chat,
    stream: [said, finished, usage],
    got: [said, finished, done],
  },
  {
    name: "messages: a finished stream without its end mark gets the mark",
    asked: message,
    stream: [start, ended],
    got: [start, ended, stop],
  },
] as const;

for (const { name, asked, stream, got } of cases) {
  Deno.test(`same format, ${name}`, async () => {
    await using upstream = startUpstream(() =>
      new Response(pieces(stream), { headers: { "content-type": "text/event-stream" } })
    );
    const format = asked.path === message.path ? "messages" : "chat-completions";
    await using gateway = await startGateway(oneUpstream({ [format]: upstream.base }));
    const answer = await fetch(`${gateway.base}${asked.path}`, {
      method: "POST",
      headers: { "x-api-key": testKey, "content-type": "application/json" },
      body: asked.body,
    });
    const text = await answer.text();
    assertEquals(text.replace(/^: tessera-cost .*\n\n/gm, ""), got.join(""));
    const [sent] = upstream.seen;
    const added = '"stream_options":{"include_usage":true},';
    assertEquals(sent.body.includes("include_usage"), format === "chat-completions");
    assertEquals(sent.body.replace(added, ""), asked.body);
  });
}
