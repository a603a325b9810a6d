import type { FormatName } from "../canonical/mod.ts";

/** A part of a vendor's API that the gateway lacks, and the alternative. */
export interface NotOffered {
  /** The subject and its verb. */
  readonly what: string;
  /** The next step; `{base_url}` is replaced by the gateway's address. */
  readonly instead: string;
  /** The format of the clients that use it; absent for several. */
  readonly format?: FormatName;
  /** True if its clients read `{"error": "…"}` alone. */
  readonly plainError?: true;
}

/** The row of an address; undefined for one that no vendor has. */
export function notOffered(path: string): NotOffered | undefined {
  const bounded = path.slice(0, pathCharsMax);
  return rows.find(({ pattern }) => pattern.test(bounded));
}

/** Returns true for a method after a model's name that the vendor has and the gateway lacks. */
export function isVerbNotOffered(path: string): boolean {
  return verbs.some(({ pattern }) => pattern.test(path));
}

const pathCharsMax = 1_000;

interface Row extends NotOffered {
  readonly pattern: RegExp;
}

/** Matches a collection under any prefix, and everything in it. */
function under(names: string): RegExp {
  return new RegExp(`/v\\d+(?:beta|alpha)?/(?:${names})(?:/|:|$)`);
}

const oneByOne = "send each request by itself";
const inRequest = "send the file's data within the request";

const verbs: readonly Row[] = [
  {
    pattern: /:(?:batchGenerateContent|asyncBatchEmbedContent)$/,
    what: "Batches are",
    instead: oneByOne,
    format: "generate-content",
  },
  {
    pattern: /:(?:embedContent|batchEmbedContents)$/,
    what: "Embeddings of the generate-content format are",
    instead: "POST to {base_url}/v1/embeddings",
    format: "generate-content",
  },
  {
    pattern:
      /:(?:predict|predictLongRunning|generateAnswer|bidiGenerateContent|rawPredict|streamRawPredict)$/,
    what: "This method of the model is",
    instead: "use :generateContent or :streamGenerateContent",
    format: "generate-content",
  },
];

const rows: readonly Row[] = [
  ...verbs,
  {
    pattern: /\/v1\/messages\/batches(?:\/|$)/,
    what: "Batches are",
    instead: oneByOne,
    format: "messages",
  },
  { pattern: under("batches"), what: "Batches are", instead: oneByOne },
  {
    pattern: /\/upload\/v1(?:beta|alpha)?\/files$|\/v1(?:beta|alpha)\/files(?:\/|$)/,
    what: "Files are",
    instead: inRequest,
    format: "generate-content",
  },
  { pattern: under("files|uploads"), what: "Files are", instead: inRequest },
  {
    pattern: under("cachedContents|tunedModels|corpora|fileSearchStores"),
    what: "This collection is",
    instead: "send all content within the request",
    format: "generate-content",
  },
  {
    pattern: under("realtime"),
    what: "Realtime sessions are",
    instead: "POST to {base_url}/v1/responses with stream: true",
  },
  {
    pattern: under("assistants|threads"),
    what: "Assistants are",
    instead: "use {base_url}/v1/responses and {base_url}/v1/conversations",
  },
  {
    pattern: under("images/variations"),
    what: "Variations of images are",
    instead: "POST to {base_url}/v1/images/edits",
  },
  {
    pattern: under(
      "fine_tuning|fine-tunes|vector_stores|containers|evals|videos|skills|organizations?",
    ),
    what: "This part of the vendor's API is",
    instead: "GET {base_url}/openapi.json lists the endpoints",
  },
  {
    pattern: /\/v1\/complete$/,
    what: "The old text completions are",
    instead: "POST to {base_url}/v1/messages",
    format: "messages",
  },
  {
    pattern: /\/openai\/deployments\//,
    what: "The paths of Azure's deployments are",
    instead:
      "use the plain OpenAI client with the base URL {base_url}/v1, which sends the key as Authorization: Bearer",
    format: "chat-completions",
  },
  {
    pattern:
      /\/api\/(?:chat|generate|tags|show|ps|version|embed|embeddings|pull|push|create|copy|delete)$/,
    what: "Ollama's own API is",
    instead: "use an OpenAI-compatible client with the base URL {base_url}/v1",
    plainError: true,
  },
  {
    pattern: /\/(?:mcp|sse)$/,
    what: "A server of the Model Context Protocol is",
    instead: "configure the address of your MCP server; models are at {base_url}/v1",
  },
];
