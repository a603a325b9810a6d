import { heavyValues } from "./heavy_shapes.ts";
import { answerBytes, eventBytes, requestBytes, type StretchRow, usage } from "./stretch_rows.ts";

/**
 * Calls that are converted, stored, counted or otherwise read as a whole. The model `m` is served in
 * chat-completions, `n` in messages and `r` in responses.
 */

const chat = "/v1/chat/completions";
const responses = "/v1/responses";
const messages = "/v1/messages";
const counting = "/v1/messages/count_tokens";
const completions = "/v1/completions";
const turn = `{"role":"user","content":"hi"}`;

/** For steps that take everything at once: the copy of one text of 60 MB, the decoding of turns. */
const undividedMostMs = 200;

type Shape = keyof typeof heavyValues;
type Row = () => StretchRow;

const asking = {
  [chat]: (model: string) => `{"model":"${model}","messages":[${turn}]}`,
  [responses]: (model: string) => `{"model":"${model}","input":"hi"}`,
  [messages]: (model: string) => `{"model":"${model}","max_tokens":9,"messages":[${turn}]}`,
  [completions]: (model: string) => `{"model":"${model}","prompt":"hi"}`,
} as const;

function streamed(body: string): string {
  return body.replace(/}$/, `,"stream":true}`);
}

function events(...data: readonly string[]): string {
  return data.map((one) => `data: ${one}\n\n`).join("");
}

function chatEvents(delta: string): string {
  const head = `"id":"x","object":"chat.completion.chunk","created":1,"model":"m"`;
  return events(
    `{${head},"choices":[{"index":0,"delta":${delta},"finish_reason":null}]}`,
    `{${head},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],${usage}}`,
    "[DONE]",
  );
}

/** Writers of an upstream's stream with one long text. */
const streams = {
  content: (text: string) => chatEvents(`{"role":"assistant","content":${text}}`),
  thought: (text: string) => chatEvents(`{"role":"assistant","reasoning_content":${text}}`),
  call: (text: string) => {
    const input = JSON.stringify(`{"text":${text}}`);
    const call =
      `{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":${input}}}`;
    return chatEvents(`{"tool_calls":[${call}]}`);
  },
  responses: (text: string) => {
    const item = `"output_index":0,"item":{"id":"i","type":"message","role":"assistant"`;
    return events(
      `{"type":"response.created","response":{"id":"x","model":"r","output":[]}}`,
      `{"type":"response.output_item.added",${item},"content":[]}}`,
      `{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":${text}}`,
      `{"type":"response.output_item.done",${item},"content":[]}}`,
      `{"type":"response.completed","response":${responsesAnswer('""')}}`,
    );
  },
} as const;

function chatAnswer(text: string): string {
  const choice =
    `{"index":0,"message":{"role":"assistant","content":${text}},"finish_reason":"stop"}`;
  return `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[${choice}],${usage}}`;
}

function responsesAnswer(text: string): string {
  const part = `{"type":"output_text","text":${text},"annotations":[]}`;
  const item = `{"id":"i","type":"message","role":"assistant","content":[${part}]}`;
  const counts = `{"input_tokens":7,"output_tokens":3,"total_tokens":10}`;
  return `{"id":"x","object":"response","created_at":1,"model":"r","status":"completed","output":[${item}],"store":false,"usage":${counts}}`;
}

function messagesAnswer(text: string): string {
  const content = `[{"type":"text","text":${text}}]`;
  return `{"id":"x","type":"message","role":"assistant","model":"n","content":${content},"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":7,"output_tokens":3}}`;
}

function uncounted(text: string): string {
  const choice = `{"index":0,"text":${text},"finish_reason":"stop"}`;
  return `{"id":"x","object":"text_completion","created":1,"model":"m","choices":[${choice}]}`;
}

/** The upstream's answers to requests. */
const short = {
  m: chatAnswer('"hi"'),
  n: messagesAnswer('"hi"'),
  r: responsesAnswer('"hi"'),
} as const;

type Model = keyof typeof short;

/** A stream with one long event. */
function event(shape: Shape, way: keyof typeof streams, path: keyof typeof asking): Row {
  const model = way === "responses" ? "r" : "m";
  return () => ({
    name: `event of ${shape}, ${way} from ${model} to ${path}`,
    path,
    body: streamed(asking[path](model)),
    status: 200,
    answer: streams[way](heavyValues[shape](way === "call" ? eventBytes / 2 : eventBytes)),
    type: "text/event-stream",
  });
}

/** A whole long answer. */
function whole(
  [model, path]: readonly [Model, keyof typeof asking],
  shape: Shape,
  write: (text: string) => string,
  more: Partial<StretchRow> = {},
): Row {
  return () => ({
    name: `answer of ${shape} from ${model} to ${path}`,
    path,
    body: asking[path](model),
    status: 200,
    answer: write(heavyValues[shape](more.type ? eventBytes : answerBytes)),
    mostMs: undividedMostMs,
    ...more,
  });
}

/** A long request; `shape` is that of the value that `write` takes. */
function request(
  [model, path]: readonly [Model, string],
  shape: Shape,
  write: (value: string) => string,
  more: Partial<StretchRow> = {},
): Row {
  return () => ({
    name: `request of ${shape} from ${path} to ${model}`,
    path,
    body: write(heavyValues[shape](requestBytes)),
    status: 200,
    answer: short[model],
    ...more,
  });
}

const turns = (head: string) => (value: string) => `{${head},"messages":${value}}`;
const input = (model: Model) => (value: string) => `{"model":"${model}","input":${value}}`;
const said = (value: string) => `"messages":[{"role":"user","content":${value}}]`;
const mapped = (value: string) => `{${said(value)},"model":"mapped"}`;
const counted = (value: string) => `{"model":"m",${said(value)}}`;

/** Members of one object: as many as it may have, or more. */
function members(count: number, status: number): Row {
  return () => ({
    name: `request of ${count} members from ${chat} to n`,
    path: chat,
    body: asking[chat]("n").replace(/}$/, `,${heavyValues["short members"](12 * count).slice(1)}`),
    status,
    answer: short.n,
  });
}

export const convertedRows: readonly Row[] = [
  event("one string", "content", responses),
  event("escapes", "content", responses),
  event("chinese", "content", responses),
  event("one string", "content", messages),
  event("one string", "thought", responses),
  event("one string", "call", responses),
  event("one string", "responses", chat),
  whole(["m", responses], "one string", chatAnswer),
  whole(["m", responses], "escapes", chatAnswer),
  whole(["m", messages], "one string", chatAnswer),
  whole(["r", chat], "one string", responsesAnswer),
  whole(["r", responses], "one string", responsesAnswer),
  whole(["m", completions], "one string", uncounted),
  whole(["m", responses], "one string", chatAnswer, {
    name: "answer of one string, sent as a stream",
    body: streamed(asking[responses]("m")),
  }),
  whole(["m", responses], "escapes", streams.content, {
    name: "event of escapes, collected to a whole answer",
    type: "text/event-stream",
  }),
  request(["n", chat], "many messages", turns(`"model":"n"`)),
  request(["m", messages], "many messages", turns(`"model":"m","max_tokens":9`)),
  request(["r", chat], "many messages", turns(`"model":"r"`)),
  request(["m", responses], "many messages", input("m"), { mostMs: undividedMostMs }),
  request(["r", responses], "many messages", input("r")),
  request(["m", responses], "one string", input("m")),
  request(["r", responses], "one string", input("r")),
  request(["m", chat], "one string", mapped, { name: "request of one string to a mapped model" }),
  request(["m", chat], "escapes", mapped, { name: "request of escapes to a mapped model" }),
  request(["m", chat], "many messages", (value) => `{"messages":${value},"model":"mapped"}`, {
    name: "request of many messages to a mapped model",
  }),
  request(["m", chat], "one string", (value) => `{"x":1,${said(value)},"x":2,"model":"mapped"}`, {
    name: "request with a repeated member",
  }),
  request(["m", counting], "one string", counted),
  request(["m", counting], "chinese", counted),
  request(["m", counting], "many messages", turns(`"model":"m"`), { mostMs: undividedMostMs }),
  members(4_990, 200),
  members(20_000, 413),
];
