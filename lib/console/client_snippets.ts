import type { FormatName } from "../canonical/mod.ts";

/** Stands where the secret goes: no page knows one after it was created. */
export const keyPlaceholder = "YOUR_KEY";

interface CurlParts {
  readonly path: (model: string) => string;
  readonly headers: readonly string[];
  readonly body: (model: string, text: string) => object;
}

const bearer = `Authorization: Bearer ${keyPlaceholder}`;

const curlParts = {
  "chat-completions": {
    path: () => "/v1/chat/completions",
    headers: [bearer],
    body: (model, text) => ({ model, messages: [{ role: "user", content: text }] }),
  },
  responses: {
    path: () => "/v1/responses",
    headers: [bearer],
    body: (model, text) => ({ model, input: text }),
  },
  messages: {
    path: () => "/v1/messages",
    headers: [`x-api-key: ${keyPlaceholder}`, "anthropic-version: 2023-06-01"],
    body: (model, text) => ({
      model,
      max_tokens: 256,
      messages: [{ role: "user", content: text }],
    }),
  },
  "generate-content": {
    path: (model) => `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: [`x-goog-api-key: ${keyPlaceholder}`],
    body: (_, text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
  },
} as const satisfies Record<FormatName, CurlParts>;

/** A call of a format for a terminal, with a placeholder for the key. */
export function curlSnippet(
  origin: string,
  format: FormatName,
  { model, text = "hello", stream = false }: {
    readonly model: string;
    readonly text?: string;
    readonly stream?: boolean;
  },
): string {
  const { path, headers, body }: CurlParts = curlParts[format];
  const streams = stream && format !== "generate-content";
  const url = `${origin}${stream ? streamPath(format, path(model)) : path(model)}`;
  return [
    `curl ${stream ? "-N " : ""}${shellQuoted(url)}`,
    ...[...headers, "Content-Type: application/json"].map((header) =>
      `  -H ${shellQuoted(header)}`
    ),
    `  -d ${shellQuoted(JSON.stringify({ ...body(model, text), ...(streams && { stream }) }))}`,
  ].join(" \\\n");
}

/** One format asks for a stream by its address, all others by a field. */
function streamPath(format: FormatName, path: string): string {
  if (format !== "generate-content") return path;
  return path.replace(/:generateContent$/, ":streamGenerateContent?alt=sse");
}

/** One word for a shell, whatever stands in it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
