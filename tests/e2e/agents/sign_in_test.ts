import { assert, assertEquals } from "@std/assert";
import { admitDevice, issueApiKey, readDeviceCode } from "../../../lib/accounts/mod.ts";
import { getApiKey } from "../../../lib/store/api_keys/mod.ts";
import { createUser, updateUser } from "../../../lib/store/users/mod.ts";
import { agentPath, installedCommand } from "../../../tools/agents.ts";
import { member } from "../../console/people.ts";
import { withTempFolder } from "../../store/temp_store.ts";
import { startStrict, strictCredential } from "../../strict/mod.ts";
import { until } from "../../waiting.ts";
import { oneUpstream, startGateway, type TestGateway } from "../gateway.ts";
import { openTerminal, type Terminal, tmux } from "./terminal.ts";

/** Claude Code in a terminal: its own `/login`, and what it shows of budgets, refusals and the end. */

const command = installedCommand("claude-code");
if (command === undefined) console.log("Claude Code is not installed: run deno task agents");
if (tmux === undefined) console.log("tmux is not installed: Claude Code's sign-in is not tested");

const model = "claude-opus-5";
const usd = 1_000_000_000n;
const answer = "Hello from the upstream.";

/** Each call costs a dollar, of two hundred a month for the account. */
async function startPriced(upstream: string, asked: string[]) {
  const models = [{ id: model, price: { input: 0, output: 0, request: 1 } }];
  const fields = { apiKeys: [strictCredential], models: [{ id: model }] };
  const gateway = await startGateway(
    { ...oneUpstream({ messages: upstream }, fields), models },
    ({ method, url }) => void asked.push(`${method} ${new URL(url).pathname}`),
  );
  const budgets = [{ period: "month", nanoUsd: 200n * usd }] as const;
  await createUser(gateway.parts.store, { ...member, spending: "unlimited", budgets });
  return gateway;
}

/** The home of a person whose own settings name the gateway. */
async function makeHome(home: string, { base }: TestGateway): Promise<string> {
  const folder = `${home}/work`;
  for (const path of [folder, `${home}/tmp`, `${home}/.claude`]) {
    await Deno.mkdir(path, { recursive: true });
  }
  const settings = { forceLoginMethod: "gateway", forceLoginGatewayUrl: base };
  await Deno.writeTextFile(`${home}/.claude/settings.json`, JSON.stringify(settings));
  const projects = { [folder]: { hasTrustDialogAccepted: true } };
  const state = { hasCompletedOnboarding: true, theme: "dark", projects };
  await Deno.writeTextFile(`${home}/.claude.json`, JSON.stringify(state));
  return folder;
}

/** Another key of the account, with which so many dollars are spent. */
interface Spender {
  readonly base: string;
  readonly key: string;
  /** The calls that were charged. */
  readonly seen: readonly unknown[];
}

async function spendTo(dollars: number, { base, key, seen }: Spender): Promise<void> {
  while (seen.length < dollars) {
    const response = await fetch(`${base}/v1/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "anthropic-version": "2023-06-01" },
      body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: "user", content: "Hi" }] }),
    });
    const text = await response.text();
    if (response.status === 402) return; // nothing is left
    assertEquals(response.status, 200, text);
  }
}

/** Prompts until a notice shows: it leaves out one that follows another too soon. */
async function promptUntil(terminal: Terminal, notice: RegExp): Promise<void> {
  for (let prompts = 0; prompts < 4; prompts++) {
    await terminal.enter("Say hi");
    if (await terminal.shows(notice, 12_000).then(() => true, () => false)) return;
  }
  await terminal.shows(notice, 1_000);
}

/** Goes through `/login`; returns the id of the device that the person confirmed. */
async function signIn(terminal: Terminal, { parts: { store } }: TestGateway): Promise<string> {
  await terminal.enter("/login");
  await terminal.shows(/Enter to connect/);
  await terminal.press("Enter");
  await terminal.shows(/Trust gateway 127\.0\.0\.1\?/);
  await terminal.press("Up", "Enter");
  const shown = await terminal.shows(/confirm this\s+code[^]*Code: /);
  const [entered = ""] = /\w{4}-\w{4}-\w{4}/.exec(shown) ?? [];
  const code = await readDeviceCode(store, entered, Date.now()) ?? "";
  const draft = { accountId: member.id, name: "laptop", groupId: "default", enabled: true };
  const device = await admitDevice(store, { code, draft }, Date.now());
  await terminal.shows(/Signed in to Cloud gateway as member@example\.com/);
  await terminal.press("Up", "Enter");
  await terminal.shows(/Connected to Cloud gateway/);
  await terminal.press("Enter");
  await terminal.shows(/Login successful/);
  return device?.id ?? "";
}

Deno.test({
  name: "agents: Claude Code signs in, shows what is spent, the end of it, and signs out",
  ignore: command === undefined || tmux === undefined,
  fn: () =>
    withTempFolder(async (home) => {
      const asked: string[] = [];
      const reply = () => ({ calls: [], hangs: false, text: answer });
      await using upstream = startStrict("messages", { model: reply });
      await using gateway = await startPriced(upstream.base, asked);
      const { store } = gateway.parts;
      const other = { accountId: member.id, name: "other", groupId: "default", enabled: true };
      const { secret } = await issueApiKey(store, other, { nowMs: Date.now() });
      const folder = await makeHome(home, gateway);
      const env = { ANTHROPIC_MODEL: model, DISABLE_AUTOUPDATER: "1", BROWSER: "/bin/true" };
      const started = { command: command ?? "", args: [], env, home, folder, path: agentPath };
      await using terminal = await openTerminal(started);
      await terminal.shows(/Not logged in/);
      const id = await signIn(terminal, gateway);
      assert(asked.includes("GET /managed/settings"));

      await terminal.enter("Say hi");
      await terminal.shows(new RegExp(answer));
      const spender = { base: gateway.base, key: secret, seen: upstream.seen };
      await spendTo(152, spender);
      await promptUntil(terminal, /You've used 7\d% of your usage credits · resets/);
      await spendTo(190, spender);
      await promptUntil(terminal, /You've used 9[5-9]% of your usage credits · resets/);

      await terminal.enter("/usage");
      await terminal.shows(/Spend limit[^]*9\d% used[^]*\$19\d \/ \$200 spent this month/);
      assert(asked.includes("GET /api/oauth/usage"));
      await terminal.press("Escape");
      await spendTo(Infinity, spender);
      await terminal.enter("One more");
      await terminal.shows(/spend limit reached · resets .*account monthly budget/);

      await updateUser(store, member.id, (user) => ({ ...user, enabled: false }));
      await terminal.enter("Still there?");
      await terminal.shows(/Please run \/login · API Error: 401/);
      await updateUser(store, member.id, (user) => ({ ...user, enabled: true }));
      assert(await getApiKey(store, id));
      await terminal.enter("/logout");
      await until(async () => await getApiKey(store, id) === undefined, "the device lives", 20_000);
      assert(asked.includes("POST /oauth/revoke"));
    }),
});
