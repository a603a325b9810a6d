import type { Page } from "puppeteer-core";
import { startSession } from "../lib/accounts/mod.ts";
import { createUser, defaultSpending, firstAccountId, type User } from "../lib/store/users/mod.ts";
import { findChromium, launch } from "../tests/e2e/browser/chromium.ts";
import { type ServedGateway, serveGateway } from "../tests/e2e/browser/journeys/served_gateway.ts";
import { type FakeUpstream, type Seen, startUpstream } from "../tests/e2e/fake_upstream.ts";

/**
 * `deno task picture`: takes the pictures of the README. Starts a gateway on a store in memory,
 * makes four weeks of real calls against local upstreams, and photographs the console in Chromium,
 * light and dark.
 */
const folder = new URL("../docs/images/", import.meta.url).pathname;
const pages = { overview: "/console", log: "/console/log" };
const days = 28;
const dayMs = 24 * 60 * 60 * 1_000;

/** Time and the fakes' latency, so that four weeks pass in seconds. */
class Clock {
  #aheadMs = -days * dayMs;
  readonly #real = { date: Date.now, performance: performance.now.bind(performance) };

  constructor() {
    Date.now = () => Math.round(this.#real.date() + this.#aheadMs);
    performance.now = () => this.#real.performance() + this.#aheadMs + days * dayMs;
  }

  pass(ms: number): void {
    this.#aheadMs += ms;
  }

  /** Waits until `atMs`, or not at all if that is past. */
  passUntil(atMs: number): void {
    this.pass(Math.max(0, atMs - Date.now()));
  }
}

/** Deterministic pseudo-random numbers. */
class Dice {
  #state = 7;

  next(): number {
    this.#state = (this.#state * 1_103_515_245 + 12_345) % 2 ** 31;
    return this.#state / 2 ** 31;
  }

  between(low: number, high: number): number {
    return Math.round(low + this.next() * (high - low));
  }
}

interface Caller {
  readonly key: string;
  readonly userAgent: string;
  readonly model: string;
  readonly path: string;
  /** Calls on a working day. */
  readonly daily: number;
}

const callers: readonly Caller[] = [
  {
    key: "claude-code",
    userAgent: "claude-cli/2.0.14 (external, cli)",
    model: "claude-sonnet-4-5",
    path: "/v1/messages",
    daily: 16,
  },
  {
    key: "support-bot",
    userAgent: "OpenAI/JS 7.57.0",
    model: "gpt-5-mini",
    path: "/v1/chat/completions",
    daily: 14,
  },
  {
    key: "codex",
    userAgent: "codex_cli_rs/0.44.0",
    model: "gpt-5",
    path: "/v1/responses",
    daily: 9,
  },
  {
    key: "ci-nightly",
    userAgent: "google-genai-sdk/3.1.0",
    model: "gemini-2.5-pro",
    path: "/v1beta/models/gemini-2.5-pro:generateContent",
    daily: 7,
  },
  {
    key: "support-bot",
    userAgent: "OpenAI/JS 7.57.0",
    model: "claude-haiku-4-5",
    path: "/v1/chat/completions",
    daily: 6,
  },
];

const secretOf = (key: string) => `sk-${key}-0123456789abcdefghij`;

const chromium = findChromium();
if (!chromium) {
  console.error("No Chromium found: set TESSERA_CHROMIUM to its path");
  Deno.exit(1);
}
const clock = new Clock();
const dice = new Dice();
await using upstream = startUpstream(answer);
await using gateway = await serveGateway(configOf(upstream));
await gateway.parts.loadConsole();
for (let day = 0; day < days; day++) await callAllDay(Date.now());
await takePictures(chromium);
Deno.exit(0); // the browser's connection and the passwords' worker would outlive this

function configOf({ base }: FakeUpstream) {
  const of = (id: string, models: readonly string[]) => ({
    id,
    preset: id,
    baseUrl: base,
    apiKeys: ["k"],
    models,
  });
  return {
    upstreams: [
      of("openai", ["gpt-5", "gpt-5-mini"]),
      of("anthropic", ["claude-sonnet-4-5", "claude-haiku-4-5"]),
      of("google", ["gemini-2.5-pro"]),
    ],
    keys: [...new Set(callers.map(({ key }) => key))].map((name) => ({
      name,
      value: secretOf(name),
    })),
  };
}

/** Most calls fall into working hours, and few on weekends. */
async function callAllDay(dayAtMs: number): Promise<void> {
  const weekend = [0, 6].includes(new Date(dayAtMs).getUTCDay());
  const planned = callers.flatMap((caller) =>
    Array.from(
      { length: Math.ceil(caller.daily * (weekend ? 0.3 : 0.6 + 0.8 * dice.next())) },
      () => ({
        caller,
        atMs: dayAtMs + dayMs * dice.next(),
      }),
    )
  ).sort((a, b) => a.atMs - b.atMs);
  for (const { caller, atMs } of planned) {
    clock.passUntil(atMs);
    await call(caller);
  }
  clock.passUntil(dayAtMs + dayMs);
}

async function call({ key, model, path, userAgent }: Caller): Promise<void> {
  const prompt = "Read this. ".repeat(dice.between(600, 12_000));
  const messages = [{ role: "user", content: prompt }];
  const body = path.endsWith("/responses")
    ? { model, input: prompt }
    : path.endsWith(":generateContent")
    ? { contents: [{ role: "user", parts: [{ text: prompt }] }] }
    : { model, messages, ...(path.endsWith("/messages") && { max_tokens: 8_000 }) };
  const response = await fetch(gateway.origin + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secretOf(key)}`,
      "content-type": "application/json",
      "user-agent": userAgent,
    },
    body: JSON.stringify(body),
  });
  await response.body?.cancel();
}

/** Answers as the vendor of the path does: mostly well, at times overloaded or rate limited. */
function answer({ path, body }: Seen): Response {
  clock.pass(dice.between(600, 9_000));
  const luck = dice.next();
  if (luck < 0.015) return failure(429, "Rate limit reached for requests");
  if (luck < 0.025) return failure(503, "The engine is currently overloaded");
  const input = Math.ceil(body.length / 4);
  const usage = {
    input,
    cached: Math.round(input * 0.7 * dice.next()),
    output: dice.between(150, 2_400),
  };
  const model: string = path.includes("generateContent")
    ? "gemini-2.5-pro"
    : JSON.parse(body).model;
  const text = "The team agreed on the release date.";
  if (path.includes("generateContent")) return Response.json(generateContent(model, text, usage));
  if (path.endsWith("/messages")) return Response.json(message(model, text, usage));
  if (path.endsWith("/responses")) return Response.json(response(model, text, usage));
  return Response.json(chatCompletion(model, text, usage));
}

function failure(status: number, message: string): Response {
  return Response.json({ error: { type: "error", message } }, { status });
}

interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

function chatCompletion(model: string, content: string, { input, cached, output }: Usage) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
    },
  };
}

function response(model: string, text: string, { input, cached, output }: Usage) {
  const content = [{ type: "output_text", text, annotations: [] }];
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    model,
    output: [{ type: "message", id: "msg_1", status: "completed", role: "assistant", content }],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

function message(model: string, text: string, { input, cached, output }: Usage) {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: input - cached,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
      output_tokens: output,
    },
  };
}

function generateContent(modelVersion: string, text: string, { input, cached, output }: Usage) {
  return {
    candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    },
    modelVersion,
  };
}

async function takePictures(executablePath: string): Promise<void> {
  const browser = await launch(executablePath);
  try {
    const page = await browser.newPage();
    await signIn(page, gateway);
    await page.setViewport({ width: 1_280, height: 800, deviceScaleFactor: 1.5 });
    await Deno.mkdir(folder, { recursive: true });
    for (const theme of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(gateway.origin + path, { waitUntil: "networkidle0" });
        await page.evaluate(() => document.fonts.ready);
        const file = `${folder}${name}-${theme}.webp` as const;
        await page.screenshot({ path: file, type: "webp", quality: 82 });
        console.log(file, `${Math.round((await Deno.stat(file)).size / 1_024)} KiB`);
      }
    }
  } finally {
    await browser.close();
  }
}

async function signIn(page: Page, { parts, origin }: ServedGateway): Promise<void> {
  const nowMs = Date.now();
  const user: User = {
    id: firstAccountId,
    email: "ada@example.com",
    role: "administrator",
    createdAtMs: nowMs - days * dayMs,
    enabled: true,
    spending: defaultSpending(firstAccountId),
  };
  await createUser(parts.store, user);
  const { token } = await startSession(parts.store, user, { nowMs });
  const cookie = { value: token, domain: new URL(origin).hostname, path: "/", httpOnly: true };
  await page.browser().setCookie({ ...cookie, name: "tessera" });
}
