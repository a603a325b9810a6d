import { issueAdminToken } from "../../../lib/accounts/mod.ts";

import { moneyText } from "../../../lib/management/http/schema.ts";
import { createManagementApi } from "../../../lib/management/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { runCli } from "../../cli/console_terminal.ts";
import { administrator, nowMs } from "../people.ts";
import { tagOf, wasTaken } from "./dimensions.ts";
import { type FigureScene, within } from "./scene.ts";
import { noSums, type RowSums, sumOf, sumsBy } from "./sums.ts";

type ValueOf = (row: RequestLogRow) => string | undefined;

/** The breakdowns of the API, with the value of a row in each. */
const breakdowns: Readonly<Record<string, ValueOf>> = {
  "by=total": () => "",
  "by=key": ({ keyId }) => keyId,
  "by=user": ({ accountId }) => accountId,
  "by=group": ({ groupId }) => groupId,
  "by=project": ({ projectId }) => projectId,
  "by=upstream": ({ upstreamId }) => upstreamId,
  "by=model": (row) => wasTaken(row) ? row.model : undefined,
  "by=tag&tag_key=team": (row) => tagOf(row, "team")?.slice("team=".length),
};

const dayMs = 86_400_000;
const origin = "http://localhost";

interface Client {
  readonly secret: string;
  readonly send: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  // deno-lint-ignore no-explicit-any -- bodies of several shapes
  readonly all: (path: string) => Promise<any[]>;
}

/** The management API over the seeded store, and the command line over that API. */
export async function apiFigures(scene: FigureScene): Promise<void> {
  const client = await clientOf(scene);
  for (const [query, valueOf] of Object.entries(breakdowns)) {
    await usageFigures(scene, { client, query, valueOf });
  }
  await callFigures(scene, client);
  await cliFigures(scene, client);
}

async function clientOf({ console: { store } }: FigureScene): Promise<Client> {
  const api = createManagementApi();
  const draft = { name: "figures", userId: administrator.id, scopes: ["*"] };
  const { secret } = await issueAdminToken(store, draft, { nowMs });
  const info = { remoteAddr: { transport: "tcp", hostname: "203.0.113.7", port: 1 } } as const;
  const send: Client["send"] = (input, init) =>
    api(new Request(input, init), { ...info, completed: Promise.resolve() });
  const all: Client["all"] = async (path) => {
    const found = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const url = `${origin}/api/v1${path}&limit=100${
        cursor && `&cursor=${encodeURIComponent(cursor)}`
      }`;
      const response = await send(url, { headers: { authorization: `Bearer ${secret}` } });
      const { data, next_cursor } = await response.json();
      found.push(...data);
      cursor = next_cursor;
    }
    return found;
  };
  return { secret, send, all };
}

function compare(
  { same }: FigureScene,
  where: string,
  { shown, own }: { readonly shown: Readonly<Record<string, unknown>>; readonly own: RowSums },
): void {
  same(`${where} requests`, Number(shown.requests), own.calls);
  same(`${where} failures`, Number(shown.failures), own.failed);
  same(`${where} input`, Number(shown.input_tokens), own.inputTokens);
  same(`${where} cached`, Number(shown.cached_input_tokens), own.cachedTokens);
  same(`${where} output`, Number(shown.output_tokens), own.outputTokens);
  same(`${where} cost`, shown.cost, moneyText(own.costNanoUsd));
  same(`${where} upstream`, shown.upstream_cost, moneyText(own.upstreamNanoUsd));
  same(`${where} margin`, shown.margin, moneyText(own.costNanoUsd - own.upstreamNanoUsd));
}

async function usageFigures(scene: FigureScene, { client, query, valueOf }: {
  readonly client: Client;
  readonly query: string;
  readonly valueOf: ValueOf;
}): Promise<void> {
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  for (const days of [7, 30]) {
    const span = { fromMs: toMs - days * dayMs, toMs };
    const rows = within(scene.team.rows, span);
    const from = new Date(span.fromMs).toISOString();
    const path = `/usage?${query}&from=${from}&to=${new Date(toMs).toISOString()}&step=day`;
    const sums = sumsBy(rows.filter((row) => valueOf(row) !== undefined), valueOf);
    const shown = await client.all(path);
    scene.same(`${path} rows`, shown.length, sums.size);
    for (const row of shown) {
      const id = query === "by=total" ? "" : row.id;
      compare(scene, `${path} ${id}`, { shown: row, own: sums.get(id) ?? noSums });
      for (const point of row.points) {
        const startMs = Date.parse(point.at);
        const own = within(rows, { fromMs: startMs, toMs: startMs + dayMs })
          .filter((one) => valueOf(one) === id);
        compare(scene, `${path} ${id} ${point.at}`, { shown: point, own: sumOf(own) });
      }
    }
  }
}

/** The calls one by one, whose tokens mean the same as in the sums. */
async function callFigures(scene: FigureScene, { all }: Client): Promise<void> {
  const fromMs = nowMs - 3_600_000;
  const path = `/calls?from=${new Date(fromMs).toISOString()}`;
  const shown = await all(path);
  const own = sumOf(within(scene.team.rows, { fromMs, toMs: nowMs + 1 }));
  const sum = (of: (call: typeof shown[number]) => number) =>
    shown.reduce((total, call) => total + of(call), 0);
  scene.same(`${path} calls`, shown.length, own.calls);
  scene.same(`${path} input`, sum(({ usage }) => usage?.input_tokens ?? 0), own.inputTokens);
  scene.same(
    `${path} cached`,
    sum(({ usage }) => usage?.cached_input_tokens ?? 0),
    own.cachedTokens,
  );
  scene.same(`${path} output`, sum(({ usage }) => usage?.output_tokens ?? 0), own.outputTokens);
  const cost = sum(({ cost }) => Math.round(Number(cost ?? 0) * 1e9));
  scene.same(`${path} cost`, cost, Number(own.costNanoUsd));
}

async function cliFigures(scene: FigureScene, { secret, send }: Client): Promise<void> {
  const env = { TESSERA_URL: origin, TESSERA_TOKEN: secret, HOME: "/none" };
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  const span = { fromMs: toMs - 30 * dayMs, toMs };
  const [from, to] = [span.fromMs, toMs].map((ms) => new Date(ms).toISOString());
  const args = ["usage", "--by", "project", "--from", from, "--to", to, "--json"];
  const { out } = await runCli(args, { env, send });
  const sums = sumsBy(within(scene.team.rows, span), ({ projectId }) => projectId);
  for (const row of JSON.parse(out).data) {
    compare(scene, `tessera usage ${row.id}`, { shown: row, own: sums.get(row.id) ?? noSums });
  }
}
