import { may } from "../../accounts/mod.ts";
import { healthOfUpstream, type UpstreamState } from "../../admin/upstreams/upstream_state.ts";
import type { ApiKey } from "../../store/api_keys/mod.ts";
import { listRequestLogs, type RequestLogPage, type RequestLogRow } from "../../store/log/mod.ts";
import type { RuntimeFault } from "../../telemetry/mod.ts";
import { sentenceOfMany, verdictOf } from "../../verdict/mod.ts";
import { verdictLanguage } from "../calls/call_words.ts";
import { type DeniedKey, readDeniedKeys } from "../keys/denied_keys.ts";
import { setPricePath } from "../models/model_list.ts";
import { type UnpricedUse, unpricedUse } from "../models/unpriced.ts";
import type { AccountView } from "../page/view.ts";
import type { Who } from "../page/who.ts";
import type { AccountState } from "../session/state.ts";
import { type AttentionLine, nameMark } from "./attention.ts";
import { logScope } from "./spend_chart.ts";

/** Problems that the reader can act on, apart from low budgets and balances. */
export interface Troubles {
  readonly who: Who;
  /** Failed calls of the last hour by cause, the most frequent first. */
  readonly failures: readonly FailureGroup[];
  /** The start of the period in which failures are counted. */
  readonly sinceMs: number;
  readonly expiring: readonly ApiKey[];
  /** Refused calls of unusable keys, which have no row in the log. */
  readonly denied: readonly DeniedKey[];
  /** For administrators only: upstreams that receive no calls. */
  readonly upstreams: readonly { readonly id: string; readonly state: UpstreamState }[];
  /** For administrators only: the Deno in use does not detect disconnected clients. */
  readonly runtimeFault?: RuntimeFault;
  /** For administrators only. */
  readonly unpriced: readonly UnpricedUse[];
}

/** Failed calls with the same cause. */
interface FailureGroup {
  readonly example: RequestLogRow;
  readonly count: number;
  /** True if there may be more. */
  readonly more: boolean;
}

const [hourMs, soonMs] = [3_600_000, 7 * 86_400_000];
const failuresRead = 100;
const notCalled: ReadonlySet<UpstreamState> = new Set(["open", "cooling", "sealed", "disabled"]);

export async function readTroubles(
  state: AccountState,
  keys: readonly ApiKey[],
  who: Who,
): Promise<Troubles> {
  const { services: { store, runtime }, account: { user }, nowMs } = state;
  const sinceMs = nowMs - hourMs;
  const manages = may(user, "upstreams:read");
  const [failed, unpriced, denied] = await Promise.all([
    listRequestLogs(store, {
      ...(who === "mine" && { accountId: user.id }),
      status: "failed",
      fromMs: sinceMs,
      limit: failuresRead,
    }),
    manages ? unpricedUse(state) : [],
    readDeniedKeys(state, keys),
  ]);
  return {
    who,
    failures: byCause(failed),
    denied,
    sinceMs,
    expiring: keys.filter(({ enabled, expiresAtMs = Infinity }) =>
      enabled && expiresAtMs > nowMs && expiresAtMs - nowMs <= soonMs
    ),
    upstreams: manages ? upstreamsOut(state) : [],
    ...(manages && { runtimeFault: runtime?.fault }),
    unpriced,
  };
}

function byCause({ rows, next }: RequestLogPage): readonly FailureGroup[] {
  const groups = Map.groupBy(
    rows,
    ({ status, errorCode, refusedBy, upstreamId }) =>
      `${status} ${refusedBy?.name ?? errorCode} ${upstreamId}`,
  );
  return [...groups.values()].map((alike) => ({
    example: alike[0],
    count: alike.length,
    more: next !== undefined,
  }))
    .sort((a, b) => b.count - a.count);
}

function upstreamsOut({ services: { directory, upstreams } }: AccountState): Troubles["upstreams"] {
  const health = upstreams?.health.snapshot() ?? [];
  return directory.upstreams().map((upstream) => {
    const own = health.filter(({ upstreamId }) => upstreamId === upstream.id);
    return { id: upstream.id, state: healthOfUpstream(upstream, own).state };
  }).filter(({ state }) => notCalled.has(state));
}

/** The page of prices lists all of them. */
const unpricedMax = 2;
/** The list of keys has all of them. */
const expiringMax = 3;

/** The problems in the reader's language, each with the page that shows it. */
export function troubleLines(troubles: Troubles, view: AccountView): AttentionLine[] {
  return [
    ...runtimeLines(troubles, view),
    ...failureLines(troubles, view),
    ...deniedLines(troubles, view),
    ...upstreamLines(troubles, view),
    ...expiryLines(troubles, view),
    ...priceLines(troubles, view),
  ];
}

function runtimeLines(
  { runtimeFault }: Troubles,
  { catalog: { attention } }: AccountView,
): AttentionLine[] {
  if (!runtimeFault) return [];
  const { deno, command } = runtimeFault;
  return [line("bad", attention.runtimeFault(nameMark, command), { name: `Deno ${deno}` })];
}

function failureLines({ failures, sinceMs, who }: Troubles, view: AccountView): AttentionLine[] {
  const { attention } = view.catalog;
  return failures.map(({ example, count, more }) => {
    const verdict = verdictOf(example);
    const cause = verdict ? sentenceOfMany(verdict, verdictLanguage(view)) : String(example.status);
    const fields = {
      ...logScope(who),
      status: String(example.status),
      from: new Date(sinceMs).toISOString(),
    };
    return line("bad", attention.failedCalls(nameMark, cause), {
      name: attention.calls(more ? `${count}+` : String(count)),
      href: `/console/log?${new URLSearchParams(fields)}`,
      fix: attention.fixes.calls,
    });
  });
}

function deniedLines(
  { denied }: Troubles,
  { catalog: { attention } }: AccountView,
): AttentionLine[] {
  return denied.map(({ apiKey: { id, name }, sum: { reason, count, more, ip } }) => {
    const calls = attention.calls(more ? `${count}+` : String(count));
    return line("bad", attention.denied[reason](nameMark, calls, ip), {
      name,
      href: `/console/token/${id}`,
      fix: attention.fixes.key,
    });
  });
}

function upstreamLines({ upstreams }: Troubles, { catalog }: AccountView): AttentionLine[] {
  const { attention, upstreamAdmin } = catalog;
  return upstreams.map(({ id, state }) =>
    line(
      state === "disabled" ? "warn" : "bad",
      attention.upstreamOut(nameMark, upstreamAdmin.states[state]),
      {
        name: id,
        href: `/console/admin/upstreams/${encodeURIComponent(id)}`,
        fix: attention.fixes.upstream,
      },
    )
  );
}

function expiryLines(
  { expiring }: Troubles,
  { catalog: { attention }, formats }: AccountView,
): AttentionLine[] {
  return expiring.slice(0, expiringMax).map(({ id, name, expiresAtMs = 0 }) =>
    line("warn", attention.expires(nameMark, formats.ahead(expiresAtMs)), {
      name,
      href: `/console/token/${id}/edit`,
      fix: attention.fixes.extend,
    })
  );
}

function priceLines({ unpriced }: Troubles, { catalog: { attention } }: AccountView) {
  return unpriced.slice(0, unpricedMax).map(({ model, calls }) =>
    line("warn", attention.unpriced(nameMark, attention.calls(String(calls))), {
      name: model,
      href: setPricePath(model),
      fix: attention.fixes.price,
    })
  );
}

function line(
  tone: AttentionLine["tone"],
  sentence: string,
  { name, ...link }: { readonly name: string } & Pick<AttentionLine, "href" | "fix">,
): AttentionLine {
  const [before, after] = sentence.split(nameMark);
  return { tone, before, name, after, ...link };
}
