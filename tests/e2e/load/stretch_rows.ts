import { heavyValues } from "./heavy_shapes.ts";

/** Requests and answers of the largest size, whose values may cost more than text of that length. */
export interface StretchRow {
  readonly name: string;
  readonly path: string;
  readonly body: string;
  readonly status: number;
  /** The upstream's answer; default: a short one. */
  readonly answer?: string;
  readonly type?: string;
  /** The longest stretch, in milliseconds; default: that of the test. */
  readonly mostMs?: number;
}

const mebibyte = 1024 * 1024;
export const requestBytes = 32 * mebibyte - 1_000;
export const answerBytes = 60 * mebibyte;
export const eventBytes = 16 * mebibyte - 2_000;

const chat = "/v1/chat/completions";
const user = `{"role":"user","content":"hi"}`;
const unknown = (value: string) => `{"model":"m","messages":[${user}],"x":${value}}`;
const content = (value: string) => `{"model":"m","messages":[{"role":"user","content":${value}}]}`;
export const usage = `"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}`;

type Shape = keyof typeof heavyValues;
type Request = readonly [
  shape: Shape,
  place: (value: string) => string,
  status: number,
  path?: string,
];

const requests: readonly Request[] = [
  ["numbers", unknown, 413],
  ["numbers", (value) => `{"model":"m","input":${value}}`, 413, "/v1/embeddings"],
  ["empty strings", unknown, 413],
  ["nulls", unknown, 413],
  ["blanks", unknown, 413],
  ["numbers and text", unknown, 200],
  ["pretty numbers", unknown, 200],
  ["many strings", unknown, 200],
  ["many messages", (value) => `{"model":"m","messages":${value}}`, 200],
  ["one string", content, 200],
  ["escapes", content, 200],
  ["chinese", content, 200],
];

/** A function for each row, since all of them together need much memory. */
export const requestRows: readonly (() => StretchRow)[] = requests.map(
  ([shape, place, status, path = chat]) => () => ({
    name: `request of ${shape} to ${path}${place === unknown ? ", unknown member" : ""}`,
    path,
    body: place(heavyValues[shape](requestBytes)),
    status,
  }),
);

const vector = `[${Array.from({ length: 3_072 }, (_, n) => `-0.0100${1 + n % 9}1`).join()}]`;
const vectors = Array(2_048).fill(`{"object":"embedding","index":0,"embedding":${vector}}`).join();

function whole(text: string, member: string): string {
  const choice =
    `{"index":0,"message":{"role":"assistant","content":${text}},"finish_reason":"stop"}`;
  return `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[${choice}],"x":${member},${usage}}`;
}

function stream(text: string, member: string): string {
  const head = `"id":"x","object":"chat.completion.chunk","created":1,"model":"m"`;
  const first = `{"index":0,"delta":{"role":"assistant","content":${text}},"finish_reason":null}`;
  const last = `{"index":0,"delta":{},"finish_reason":"stop"}`;
  return [
    `{${head},"choices":[${first}],"x":${member}}`,
    `{${head},"choices":[${last}],${usage}}`,
    "[DONE]",
  ]
    .map((data) => `data: ${data}\n\n`).join("");
}

const sse = "text/event-stream";
const asked = { path: chat, body: `{"model":"m","messages":[${user}]}`, status: 200 };
const streamed = { ...asked, body: `{"model":"m","messages":[${user}],"stream":true}`, type: sse };

export const answerRows: readonly (() => StretchRow)[] = [
  () => ({
    name: "answer of 2,048 x 3,072 embedding numbers",
    path: "/v1/embeddings",
    body: `{"model":"m","input":"hi"}`,
    status: 200,
    answer:
      `{"object":"list","model":"m","data":[${vectors}],"usage":{"prompt_tokens":7,"total_tokens":7}}`,
  }),
  () => ({
    ...asked,
    name: "answer of text",
    answer: whole(heavyValues["one string"](answerBytes), "1"),
  }),
  () => ({
    ...asked,
    name: "answer of numbers, unknown member",
    answer: whole('"hi"', heavyValues.numbers(3_900_000)),
  }),
  () => ({
    ...streamed,
    name: "event of text",
    answer: stream(heavyValues["one string"](eventBytes), "1"),
  }),
  () => ({
    ...streamed,
    name: "event of escapes",
    answer: stream(heavyValues.escapes(eventBytes), "1"),
  }),
  () => ({
    ...streamed,
    name: "event of empty strings, unknown member",
    answer: stream('"hi"', heavyValues["empty strings"](5_900_000)),
  }),
];

export const shortAnswer = whole('"hi"', "1");
