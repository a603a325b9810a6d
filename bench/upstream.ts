/** An upstream of negligible cost: one complete answer, or one stream of small chunks. */
const answer = JSON.stringify({
  id: "chatcmpl-bench",
  object: "chat.completion",
  created: 1,
  model: "bench",
  choices: [{
    index: 0,
    message: { role: "assistant", content: "The answer ".repeat(40), refusal: null },
    logprobs: null,
    finish_reason: "stop",
  }],
  usage: {
    prompt_tokens: 20,
    completion_tokens: 80,
    total_tokens: 100,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  },
});
const chunk = (delta: unknown, finish: string | null, usage?: unknown) =>
  `data: ${
    JSON.stringify({
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "bench",
      choices: usage ? [] : [{ index: 0, delta, finish_reason: finish }],
      ...(usage ? { usage } : {}),
    })
  }\n\n`;
const stream = [
  chunk({ role: "assistant", content: "" }, null),
  ...Array.from({ length: 50 }, () => chunk({ content: "word " }, null)),
  chunk({}, "stop"),
  chunk({}, null, { prompt_tokens: 20, completion_tokens: 50, total_tokens: 70 }),
  "data: [DONE]\n\n",
].map((text) => new TextEncoder().encode(text));

Deno.serve({
  hostname: "127.0.0.1",
  port: Number(Deno.args[0]),
  onListen: () => console.log("ready"),
}, async (request) => {
  const body = await request.text();
  if (!body.includes('"stream":true')) {
    return new Response(answer, { headers: { "content-type": "application/json" } });
  }
  return new Response(ReadableStream.from(stream), {
    headers: { "content-type": "text/event-stream" },
  });
});
