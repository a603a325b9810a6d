import { auditStore } from "../../lib/audit/mod.ts";
import { openStore } from "../../lib/store/mod.ts";
import {
  createProject,
  updateOrganization,
  updateTagBudget,
} from "../../lib/store/projects/mod.ts";
import { createUser, firstAccountId } from "../../lib/store/users/mod.ts";
import { compose } from "../../main.ts";
import { WriteMeter, type Writes } from "./meter.ts";
import { meteredKv } from "./metered_kv.ts";

/** Calls at a constant rate to gateways on one managed database. */
export interface Traffic {
  /** Calls per second, of all gateways together. */
  readonly rate: number;
  readonly isolates: number;
  /** The number of keys, each with a budget and limits of its own, used in turn. */
  readonly keys: number;
  /** True if the account has a project and each call a tag, each with a budget, and everyone too. */
  readonly teams: boolean;
  /** True if each call names a session, sub-agent and request class as Claude Code does. */
  readonly sessions: boolean;
  /** The typical time from the first to the last byte of an upstream's answer: a fifth to three times of it. */
  readonly answerMs: number;
  /** The time that each request to the database takes. */
  readonly latencyMs: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** The writes of one measurement. */
export interface Measured {
  readonly traffic: Traffic;
  readonly calls: number;
  readonly writes: Writes;
}

/**
 * Runs the gateways in this process as on Deno Deploy, with the attached database replaced by one
 * in memory that all of them share, and audits it at the end. Throws if a call failed or if the
 * audit finds a difference.
 */
export async function measureWrites(traffic: Traffic): Promise<Measured> {
  const meter = new WriteMeter();
  const kv = meteredKv(await openKv(":memory:"), { meter, latencyMs: traffic.latencyMs });
  replaceOpenKv(() => Promise.resolve(kv));
  try {
    const { calls, load } = await runTraffic(traffic, meter);
    await assertAudited(load);
    return { traffic, ...calls };
  } finally {
    replaceOpenKv(openKv);
  }
}

/** `Deno.openKv` has a getter only. */
function replaceOpenKv(open: typeof Deno.openKv): void {
  Object.defineProperty(Deno, "openKv", { value: open, configurable: true, writable: true });
}

async function runTraffic(traffic: Traffic, meter: WriteMeter) {
  const lengths = answerLengths();
  const upstream = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => answer(traffic.answerMs * lengths.next().value),
  );
  const config = await configFile(upstream.addr.port, traffic.keys);
  if (traffic.teams) await withTeams(secret);
  const gateways = [];
  for (let at = 0; at < traffic.isolates; at++) gateways.push(await compose(environment(config)));
  await Deno.remove(config);
  const load = new Load(gateways.map(({ fetch }) => fetch), traffic);
  await load.run(traffic.warmUpSeconds);
  meter.reset();
  const before = load.calls;
  await load.run(traffic.seconds);
  const calls = { calls: load.calls - before, writes: meter.read() };
  await load.end();
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await upstream.shutdown();
  return { calls, load };
}

/** Factors from 1/5 to 3, evenly spread on a logarithmic scale, the same in each run. */
function* answerLengths(): Generator<number, never> {
  const goldenRatio = (Math.sqrt(5) - 1) / 2;
  for (let n = 0;; n++) yield 15 ** (n * goldenRatio % 1) / 5;
}

async function assertAudited({ calls, failures }: Load): Promise<void> {
  const store = await openStore({ location: { type: "attached" }, secret });
  const { calls: audited, differences } = await auditStore(store);
  store.close();
  if (failures > 0) throw new Error(`${failures} of ${calls} calls failed`);
  if (audited === calls && differences.length === 0) return;
  throw new Error(`The store has ${audited} of ${calls} calls. ${differences.join("; ")}`);
}

const secret = "the secret of this measurement";
const { openKv } = Deno;
const keyPrefix = "sk-writes-0123456789abcdefghij-";

type Fetch = Awaited<ReturnType<typeof compose>>["fetch"];

/** Starts calls when they are due, without waiting for the ones before. */
class Load {
  calls = 0;
  failures = 0;
  readonly #running = new Set<Promise<void>>();

  constructor(readonly gateways: readonly Fetch[], readonly traffic: Traffic) {}

  async run(seconds: number): Promise<void> {
    const startMs = performance.now();
    const calls = Math.round(seconds * this.traffic.rate);
    for (let call = 0; call < calls; call++) {
      const dueMs = startMs + call * 1_000 / this.traffic.rate;
      await pause(Math.max(0, dueMs - performance.now()));
      this.#start();
    }
    await pause(Math.max(0, startMs + seconds * 1_000 - performance.now()));
  }

  async end(): Promise<void> {
    await Promise.all(this.#running);
  }

  #start(): void {
    const number = this.calls++;
    const call = callOnce(
      this.gateways[number % this.gateways.length],
      request(number, this.traffic),
    ).catch(() => void this.failures++).finally(() => this.#running.delete(call));
    this.#running.add(call);
  }
}

async function callOnce(fetch: Fetch, request: Request): Promise<void> {
  const response = await fetch(request, info);
  const text = await response.text();
  if (response.status !== 200 || !text.includes("[DONE]")) throw new Error(text);
}

const info: Deno.ServeHandlerInfo<Deno.NetAddr> = {
  remoteAddr: { transport: "tcp", hostname: "203.0.113.7", port: 1 },
  completed: Promise.resolve(),
};

function request(number: number, { keys, teams, sessions }: Traffic): Request {
  return new Request("http://127.0.0.1/v1/chat/completions", {
    method: "POST",
    headers: {
      authorization: `Bearer ${keyPrefix}${number % keys}`,
      "content-type": "application/json",
      "user-agent": "OpenAI/JS 7.57.0",
      ...(teams && { "tessera-tag": tagOfTeam }),
      ...(sessions && sessionHeaders(number)),
    },
    body: JSON.stringify({
      model: "acme-mini",
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: "user", content: "Hello" }],
    }),
  });
}

/** Thirty sessions at a time, each of ninety calls: of its main agent and of two sub-agents in turn. */
function sessionHeaders(number: number): Record<string, string> {
  const session = number % 30 + 30 * Math.floor(number / 2_700);
  const agent = Math.floor(number / 30) % 3;
  return {
    "x-claude-code-session-id": `4b1f9a52-0d8e-4c55-9d5e-${String(session).padStart(12, "0")}`,
    ...(agent > 0 && { "x-claude-code-agent-id": `a${session}f9a520d8e4c55${agent}` }),
    "x-claude-code-request-class": agent > 0 ? "subagent" : "main",
  };
}

function answer(answerMs: number): Response {
  const events = answerEvents();
  const body = new ReadableStream<string>({
    async pull(controller) {
      const event = events.shift();
      if (event === undefined) return controller.close();
      controller.enqueue(event);
      await pause(answerMs / answerEvents().length);
    },
  }).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function answerEvents(): string[] {
  const chunk = (fields: object) => {
    const event = { id: "c", object: "chat.completion.chunk", model: "acme-mini", ...fields };
    return `data: ${JSON.stringify(event)}\n\n`;
  };
  const usage = {
    ...{ prompt_tokens: 812, completion_tokens: 311, total_tokens: 1_123 },
    prompt_tokens_details: { cached_tokens: 512 },
    completion_tokens_details: { reasoning_tokens: 128 },
  };
  return [
    ...["Hel", "lo", "!"].map((content) => chunk({ choices: [{ index: 0, delta: { content } }] })),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    chunk({ choices: [], usage }),
    "data: [DONE]\n\n",
  ];
}

function environment(config: string): Record<string, string> {
  return {
    DENO_DEPLOY: "true",
    TESSERA_SECRET: secret,
    TESSERA_CONFIG: config,
  };
}

async function configFile(port: number, keys: number): Promise<string> {
  const path = await Deno.makeTempFile({ suffix: ".jsonc" });
  await Deno.writeTextFile(path, JSON.stringify(configFor(port, keys)));
  return path;
}

function configFor(port: number, keys: number): object {
  return {
    upstreams: [{
      id: "openai",
      endpoints: { "chat-completions": `http://127.0.0.1:${port}/v1` },
      models: ["acme-mini"],
    }],
    models: [{ id: "acme-mini", price: { input: 3, output: 15 } }],
    keys: Array.from({ length: keys }, (_, n) => ({
      name: `key ${n}`,
      value: `${keyPrefix}${n}`,
      budget: { usd: 1_000_000, period: "month" },
      limits: { requestsPerMinute: 10_000_000, tokensPerMinute: 1_000_000_000, concurrency: 1_000 },
    })),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The tag of each call in `withTeams`. */
const tagOfTeam = "team=a";

/** Gives the account of all keys a project, and a budget to project, organization and tag. */
async function withTeams(secret: string): Promise<void> {
  const store = await openStore({ location: { type: "attached" }, secret });
  const bounds = { budgets: [{ period: "month", nanoUsd: 10n ** 15n }] } as const;
  const createdAtMs = Date.now();
  await createProject(store, { ...bounds, id: "research", administrators: [], createdAtMs });
  await updateOrganization(store, () => bounds);
  await updateTagBudget(store, tagOfTeam, () => bounds);
  await createUser(store, {
    id: firstAccountId,
    email: "owner@example.com",
    role: "administrator",
    createdAtMs,
    enabled: true,
    spending: "unlimited",
    projectId: "research",
  });
  store.close();
}
