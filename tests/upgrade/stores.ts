/**
 * Fills a store with this release, for `stores_test.ts` of all later ones:
 * `deno run -A --config tests/deno.json tests/upgrade/stores.ts`
 * writes `tests/upgrade/stores/VERSION.db.gz` and `VERSION.json`, once for each release.
 */
import { issueAdminToken, issueApiKey } from "../../lib/accounts/mod.ts";
import { openStore } from "../../lib/store/mod.ts";
import { firstAccountId } from "../../lib/store/users/mod.ts";
import { startServer } from "../e2e/server_process.ts";
import { withTempFolder } from "../store/temp_store.ts";
import { administrator, call, signIn } from "./visitor.ts";

/** The secrets of its users, and the calls and limits that they must find. */
export interface Expected {
  readonly key: string;
  readonly cookie: string;
  readonly token: string;
  readonly calls: readonly string[];
  /** From `/v1/usage`: the budget, and the amount that the key has spent of it. */
  readonly limits: unknown;
}

export const secret = "the secret of every release";

/** Nothing of it expires before a later release reads it. The model has a price, so that budgets count. */
export const config = {
  limits: { sessionDays: 36_500, logRetentionDays: 36_500 },
  models: [{ id: "tessera-echo", price: { input: 1_000, output: 1_000 } }],
};

export const storesFolder = new URL("stores/", import.meta.url).pathname;
const callCount = 3;
const root = new URL("../../", import.meta.url);

export async function usageOf(base: string, key: string) {
  const headers = { authorization: `Bearer ${key}` };
  return await (await fetch(`${base}/v1/usage`, { headers })).json();
}

async function fill(folder: string): Promise<Expected> {
  const env = { ...administrator, TESSERA_SECRET: secret };
  await (await startServer(folder, { config, env })).stop();
  const { key, token } = await issueSecrets(`${folder}/tessera.db`);
  const server = await startServer(folder, { config, env });
  const cookie = await signIn(server.base);
  const calls: string[] = [];
  for (let n = 0; n < callCount; n++) calls.push(await call(server.base, key));
  const { limits } = await usageOf(server.base, key);
  await server.stop();
  return { key, cookie, token, calls, limits };
}

async function issueSecrets(path: string) {
  const store = await openStore({ location: { type: "file", path }, secret });
  const nowMs = Date.now();
  const budgets = [{ period: "total", nanoUsd: 5_000_000_000n }] as const;
  const draft = {
    name: "spender",
    accountId: firstAccountId,
    groupId: "default",
    enabled: true,
    budgets,
  };
  const { secret: key } = await issueApiKey(store, draft, { nowMs });
  const reader = { name: "reader", userId: firstAccountId, scopes: ["calls:read"] } as const;
  const { secret: token } = await issueAdminToken(store, reader, { nowMs });
  store.close();
  return { key, token };
}

if (import.meta.main) {
  await withTempFolder(async (folder) => {
    const expected = await fill(folder);
    await Deno.mkdir(storesFolder, { recursive: true });
    const { body } = new Response((await Deno.open(`${folder}/tessera.db`)).readable);
    const packed = body?.pipeThrough(new CompressionStream("gzip"));
    const { version } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
    const name = `${storesFolder}${version}`;
    if (packed) await Deno.writeFile(`${name}.db.gz`, packed, { createNew: true });
    await Deno.writeTextFile(`${name}.json`, `${JSON.stringify(expected, null, 2)}\n`);
  });
}
