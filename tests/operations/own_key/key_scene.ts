import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { startUpstream } from "../../e2e/fake_upstream.ts";
import { startGateway, type TestGateway } from "../../e2e/gateway.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";

/** The secrets of the scene's keys, by name. */
export const secrets = {
  ci: "sk-ci-0123456789abcdefghijklm",
  other: "sk-other-0123456789abcdefghij",
  free: "sk-free-0123456789abcdefghijk",
} as const;
export type KeyName = keyof typeof secrets;

/** A gateway with three keys: `ci` has budgets, `other` shares its account, `free` has no limit. */
export interface KeyScene extends AsyncDisposable {
  readonly gateway: TestGateway;
  get(path: string, key?: KeyName, headers?: Record<string, string>): Promise<Response>;
  json(path: string, key?: KeyName): Promise<JsonObject>;
  /** Calls a model; one call of `m` costs $0.018. */
  call(key: KeyName, model: string): Promise<number>;
  idOf(key: KeyName): Promise<string>;
}

/** 1,000 tokens in and 2,000 out at $2 and $8 for a million. */
export const costOfCall = 0.018;

export async function keyScene(config: Record<string, unknown> = {}): Promise<KeyScene> {
  const usage = { prompt_tokens: 1000, completion_tokens: 2000, total_tokens: 3000 };
  const answer = chatAnswer({ content: "Hi", refusal: null }, { usage });
  const upstream = startUpstream(() => Response.json(answer));
  const gateway = await startGateway(configOf(upstream.base, config));
  const send = (path: string, key: KeyName, init: RequestInit = {}) =>
    fetch(gateway.base + path, {
      ...init,
      headers: { authorization: `Bearer ${secrets[key]}`, ...init.headers },
    });
  return {
    gateway,
    get: (path, key = "ci", headers = {}) => send(path, key, { headers }),
    json: async (path, key = "ci") => await (await send(path, key)).json(),
    call: async (key, model) => {
      const messages = [{ role: "user", content: "hi" }];
      const body = JSON.stringify({ model, messages, max_tokens: 2500 });
      const response = await send("/v1/chat/completions", key, { method: "POST", body });
      await response.body?.cancel();
      return response.status;
    },
    idOf: async (key) => {
      const found = (await listApiKeys(gateway.parts.store)).find(({ name }) => name === key);
      if (!found) throw new Error(`no key ${key}`);
      return found.id;
    },
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

function configOf(base: string, config: Record<string, unknown>): Record<string, unknown> {
  const budget = [{ usd: 0.1, period: "month" }, { usd: 5, period: "total" }];
  return {
    upstreams: [{
      id: "up",
      endpoints: { "chat-completions": `${base}/v1` },
      apiKeys: ["x"],
      models: ["m", "n"],
    }],
    models: ["m", "n"].map((id) => ({ id, price: { input: 2, output: 8 } })),
    keys: [
      { name: "ci", group: "default", value: secrets.ci, budget },
      { name: "other", group: "default", value: secrets.other },
      { name: "free", group: "default", value: secrets.free },
    ],
    ...config,
  };
}
