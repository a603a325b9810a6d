import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { approval, drawnPng, foundPage, ranCode } from "../../strict/small_model.ts";
import { eachWay, type Scenario, streamed } from "./scenario.ts";

/** Answers that hold what not every format has a place for, and streams that begin in unusual ways. */
export const answerScenarios: readonly Scenario[] = [
  {
    name: "the answer of a hosted web search with its citations",
    run: ({ start, pair: { format, client } }) =>
      eachWay(async (way) => {
        const talk = start({});
        talk.say("search");
        const { text, sources } = await talk.ask(way);
        assertStringIncludes(text, "You said: search");
        const named = client.format === "messages" && format !== "messages" ? [] : [foundPage.url];
        if (sources) assertEquals(sources, named);
        talk.say("thanks");
        assertStringIncludes((await talk.ask(way)).text, "You said: thanks");
      }),
  },
  {
    name: "a program that a hosted tool ran, with its output",
    run: ({ start, pair: { format, client } }) =>
      eachWay(async (way) => {
        const talk = start({});
        talk.say("compute");
        const { text } = await talk.ask(way);
        assertStringIncludes(text, "You said: compute");
        if (format !== client.format) assertStringIncludes(text, ranCode.output.trim());
        talk.say("thanks");
        assertStringIncludes((await talk.ask(way)).text, "You said: thanks");
      }),
  },
  {
    name: "a picture in the answer",
    upstreams: ["chat-completions", "responses", "generate-content"],
    vendorsOwn: true,
    run: ({ start, pair: { client } }) =>
      eachWay(async (way) => {
        const talk = start({});
        talk.say("draw");
        const { text, pictures } = await talk.ask(way);
        assertStringIncludes(text, "You said: draw");
        if (client.format === "messages") assertStringIncludes(text, "image");
        else assertEquals(pictures, [drawnPng]);
        talk.say("thanks");
        assertStringIncludes((await talk.ask(way)).text, "You said: thanks");
      }),
  },
  {
    name: "a request to approve an MCP call, and the caller's yes",
    upstreams: ["responses"],
    vendorsOwn: true,
    run: ({ start, upstream }) =>
      eachWay(async (way) => {
        const talk = start({ tools: true });
        talk.say("approve");
        const { calls } = await talk.ask(way);
        assertEquals(calls.map(({ name }) => name), ["mcp_approval_request"]);
        const { args } = calls[0];
        const { server: server_label, name } = approval;
        assertEquals({ ...Object(args), id: "" }, {
          id: "",
          server_label,
          name,
          arguments: JSON.stringify(approval.args),
        });
        talk.answerCalls([{ text: "yes" }]);
        await talk.ask(way);
        const sent = JSON.stringify(upstream.seen.at(-1)?.body);
        assertStringIncludes(sent, '"type":"mcp_approval_response"');
        assertStringIncludes(sent, '"approve":true');
      }),
  },
  {
    name: "a stream whose opening event has the content",
    callers: ["chat-completions", "responses", "generate-content"],
    upstreams: ["messages"],
    run: async ({ start }) => {
      const talk = start({ tools: true });
      talk.say("early");
      const { text, finish } = await talk.ask(streamed);
      assertStringIncludes(text, "You said: early");
      assertEquals(finish, "stop");
    },
  },
  {
    name: "the prompt's tokens in a stream's opening event",
    callers: ["messages"],
    vendorsOwn: true,
    run: async ({ start, pair: { tape } }) => {
      const talk = start({ system: "Be brief.", tools: true });
      talk.say("hello");
      await talk.ask(streamed);
      const opening = JSON.parse(tape.streams.at(-1)?.[0].data ?? "{}");
      assertEquals(opening.type, "message_start");
      const { input_tokens } = opening.message.usage;
      assert(input_tokens > 0, `it states ${input_tokens} tokens`);
    },
  },
];
