import { postEvent } from "../../lib/store/webhooks/mod.ts";
import { until } from "../waiting.ts";
import { chatAnswer } from "../formats/whole_answer.ts";
import { type FakeUpstream, startUpstream } from "../e2e/fake_upstream.ts";
import { startApi, type TestApi } from "../management/api.ts";
import { type Ran, runCli } from "./console_terminal.ts";

/** A gateway that has every object which the examples of the command line name. */
export interface SeededGateway extends AsyncDisposable {
  readonly api: TestApi;
  readonly upstream: FakeUpstream;
  readonly env: Readonly<Record<string, string>>;
  readonly cli: (...args: string[]) => Promise<Ran>;
}

const usage = { prompt_tokens: 600, completion_tokens: 200, total_tokens: 800 };

export async function startSeeded(): Promise<SeededGateway> {
  const upstream = startUpstream(({ path }) =>
    path.endsWith("/models")
      ? Response.json({ data: [{ id: "my-model" }] })
      : Response.json(chatAnswer({ content: "Hi" }, { usage }))
  );
  const api = await startApi({
    upstreams: [],
    allowPrivateUpstreams: true,
  });
  await seed(api, upstream);
  const home = await Deno.makeTempDir();
  const env = { TESSERA_URL: api.base, TESSERA_TOKEN: api.secret, HOME: home };
  return {
    api,
    upstream,
    env,
    cli: (...args) => runCli(args, { env }),
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
      await Deno.remove(home, { recursive: true });
    },
  };
}

const hook = { url: "https://hooks.example.com/tessera", types: ["call.failed"] };

async function seed({ ask, base }: TestApi, upstream: FakeUpstream): Promise<void> {
  const vendor = {
    id: "vendor",
    endpoints: { "chat-completions": upstream.base },
    credentials: ["sk-vendor"],
    models: [{ id: "my-model" }],
  };
  await ask("POST", "/users", { body: { email: "ada@example.com", spending: "unlimited" } });
  await ask("POST", "/groups", { body: { id: "team" } });
  await ask("POST", "/projects", { body: { id: "web" } });
  await ask("POST", "/projects/web/members", { body: { user_id: "ada@example.com" } });
  await ask("POST", "/tags", { body: { tag: "team=a", budgets: { day: "9.00" } } });
  await ask("POST", "/invitations", { body: { email: "new@example.com" } });
  await ask("POST", "/upstreams", { body: vendor });
  await ask("POST", "/models/my-model/prices", { body: { price: { input: "3", output: "15" } } });
  await ask("POST", "/tokens", { body: { name: "deploy", scopes: ["*"] } });
  await ask("POST", "/webhooks", { body: hook });
  await ask("POST", "/codes", { body: { name: "launch", amount: "5.00" } });
  const { body: { secret } } = await ask("POST", "/keys", {
    body: { name: "ci", user_id: "ada@example.com", budgets: { total: "0.01" } },
  });
  await callTwice(base, secret);
}

/** Waits for what the gateway makes by itself: an alert, and a delivery of an event. */
export async function seedEvents({ api: { ask, store } }: SeededGateway): Promise<void> {
  const event = { id: "evt_01KAJ9V3M8WZ5X7Q2C4N6B8D0F", atMs: 1, body: "{}" };
  await postEvent(store, { ...event, type: "call.failed" });
  const { body: { data: [{ id }] } } = await ask("GET", "/webhooks");
  for (const list of ["/alerts", `/webhooks/${id}/deliveries`]) {
    await until(async () => (await ask("GET", list)).body.data.length > 0, list, 20_000);
  }
}

/** Spends most of the key's budget in a session, which raises an alert. */
async function callTwice(base: string, secret: string): Promise<void> {
  for (let call = 0; call < 2; call++) {
    const response = await fetch(`${base}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${secret}`,
        "content-type": "application/json",
        "tessera-session": "session-1",
        "tessera-tag": "team=a",
      },
      body: JSON.stringify({
        model: "my-model",
        max_tokens: 200,
        messages: [{ role: "user", content: "hi" }],
      }),
    });
    await response.text();
  }
}
