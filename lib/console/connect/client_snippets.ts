import type { FormatName } from "../../canonical/mod.ts";
import type { ModelFacts, System } from "./client.ts";

/** The placeholder of a secret: only the page of a new key has the real one. */
export const keyPlaceholder = "YOUR_KEY";

/** The message of every example. */
const said = "hello";

interface CurlParts {
  readonly path: (model: string) => string;
  readonly headers: (key: string) => readonly string[];
  readonly body: (model: string) => object;
}

const bearer = (key: string) => [`Authorization: Bearer ${key}`];

const curlParts = {
  "chat-completions": {
    path: () => "/v1/chat/completions",
    headers: bearer,
    body: (model) => ({ model, messages: [{ role: "user", content: said }] }),
  },
  responses: {
    path: () => "/v1/responses",
    headers: bearer,
    body: (model) => ({ model, input: said }),
  },
  messages: {
    path: () => "/v1/messages",
    headers: (key) => [`x-api-key: ${key}`, "anthropic-version: 2023-06-01"],
    body: (model) => ({
      model,
      max_tokens: 256,
      messages: [{ role: "user", content: said }],
    }),
  },
  "generate-content": {
    path: (model) => `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: (key) => [`x-goog-api-key: ${key}`],
    body: () => ({ contents: [{ role: "user", parts: [{ text: said }] }] }),
  },
} as const satisfies Record<FormatName, CurlParts>;

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly key?: string;
}

/** A call of a format for a terminal; without a key, with a placeholder. */
export function curlSnippet(
  origin: string,
  format: FormatName,
  { model, stream = false, key = keyPlaceholder }: Asked,
): string {
  const { path, headers, body }: CurlParts = curlParts[format];
  const streams = stream && format !== "generate-content";
  const url = `${origin}${stream ? streamPath(format, path(model)) : path(model)}`;
  return [
    `curl ${stream ? "-N " : ""}${shellQuoted(url)}`,
    ...[...headers(key), "Content-Type: application/json"].map((header) =>
      `  -H ${shellQuoted(header)}`
    ),
    `  -d ${shellQuoted(JSON.stringify({ ...body(model), ...(streams && { stream }) }))}`,
  ].join(" \\\n");
}

/**
 * The path of a streamed call. Generate-content requests a stream by its address, every other
 * format by a member of the body.
 */
function streamPath(format: FormatName, path: string): string {
  if (format !== "generate-content") return path;
  return path.replace(/:generateContent$/, ":streamGenerateContent?alt=sse");
}

/** The same chat completions call for PowerShell, which has other quoting rules. */
export function powerShellSnippet(
  origin: string,
  { model, key = keyPlaceholder }: Asked,
): string {
  const { path, headers, body } = curlParts["chat-completions"];
  const [name, value] = headers(key)[0].split(": ");
  return [
    `Invoke-RestMethod ${powerShellQuoted(`${origin}${path()}`)} -Method Post`,
    `  -Headers @{ ${name} = ${powerShellQuoted(value)} }`,
    "  -ContentType 'application/json'",
    `  -Body ${powerShellQuoted(JSON.stringify(body(model)))}`,
  ].join(" `\n");
}

/** Environment variables for a terminal, and the command that uses them. */
export function environmentFor(
  system: System,
  variables: Readonly<Record<string, string>>,
  command?: string,
): string {
  const lines = Object.entries(variables).map(([name, value]) =>
    system === "windows"
      ? `$env:${name} = ${powerShellQuoted(value)}`
      : `export ${name}=${shellQuoted(value)}`
  );
  return [...lines, ...command === undefined ? [] : [command]].join("\n");
}

/** A command for a terminal. Quotes the last word, which may contain anything. */
export function commandFor(system: System, words: readonly string[]): string {
  const quoted = system === "windows" ? powerShellQuoted : shellQuoted;
  return words.map((word, at) => at === words.length - 1 ? quoted(word) : word).join(" ");
}

/** One word for PowerShell, whatever it contains. */
function powerShellQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** One word for a shell, whatever it contains. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A model's prices in USD per million tokens, as clients add them up; undefined without a price. */
export function clientCost({ price }: ModelFacts) {
  if (!price) return undefined;
  const { input, output, cachedInput = input, cacheWrite = input } = price;
  const [plain, written, read, cached] = [input, output, cachedInput, cacheWrite]
    .map((usd) => Number(usd.toPrecision(12))); // a ratio leaves binary fractions
  return { input: plain, output: written, cacheRead: read, cacheWrite: cached };
}
