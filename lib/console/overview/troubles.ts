import { may } from "../../accounts/mod.ts";
import { healthOfUpstream, type UpstreamState } from "../../admin/upstreams/upstream_state.ts";
import type { ApiKey } from "../../store/api_keys/mod.ts";
import type { RuntimeFault } from "../../telemetry/mod.ts";
import { verdictLanguage } from "../calls/call_words.ts";
import { logFilterQuery } from "../calls/log_filter.ts";
import { type DeniedKey, readDeniedKeys } from "../keys/denied_keys.ts";
import { setPricePath } from "../models/model_list.ts";
import { type UnpricedUse, unpricedUse } from "../models/unpriced.ts";
import type { AccountView } from "../page/view.ts";
import type { Who } from "../page/who.ts";
import type { AccountState } from "../session/state.ts";
import { type AttentionLine, nameMark } from "./attention.ts";
import { causeText, type FailedCalls, type FailureGroup, readFailures } from "./failures.ts";
import { logScope } from "./spend_chart.ts";

/** Problems that the reader can act on, apart from low budgets and balances. */
export interface Troubles {
  readonly who: Who;
  /** Failed calls of the last hour by cause. */
  readonly failures: FailedCalls;
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

const [hourMs, soonMs] = [3_600_000, 7 * 86_400_000];
const notCalled: ReadonlySet<UpstreamState> = new Set(["open", "cooling", "sealed", "disabled"]);

export async function readTroubles(
  state: AccountState,
  keys: readonly ApiKey[],
  who: Who,
): Promise<Troubles> {
  const { services: { store, runtime }, account: { user }, nowMs } = state;
  const manages = may(user, "upstreams:read");
  const accountId = who === "mine" ? user.id : undefined;
  const [failures, unpriced, denied] = await Promise.all([
    readFailures(store, accountId, { sinceMs: nowMs - hourMs, nowMs }),
    manages ? unpricedUse(state) : [],
    readDeniedKeys(state, keys),
  ]);
  return {
    who,
    failures,
    denied,
    expiring: keys.filter(({ enabled, expiresAtMs = Infinity }) =>
      enabled && expiresAtMs > nowMs && expiresAtMs - nowMs <= soonMs
    ),
    upstreams: manages ? upstreamsOut(state) : [],
    ...(manages && { runtimeFault: runtime?.fault }),
    unpriced,
  };
}

function upstreamsOut({ services: { directory, upstreams } }: AccountState): Troubles["upstreams"] {
  const health = upstreams?.health.snapshot() ?? [];
  return directory.upstreams().map((upstream) => {
    const own = health.filter(({ upstreamId }) => upstreamId === upstream.id);
    return { id: upstream.id, state: healthOfUpstream(upstream, own).state };
  }).filter(({ state }) => notCalled.has(state));
}

/** The most of one kind on the overview, so that it shows problems of every kind. */
const shownOfKind = 3;

/** The problems in the reader's language, each with the page that shows it; some of each kind or all. */
export function troubleLines(
  troubles: Troubles,
  view: AccountView,
  { all = false } = {},
): AttentionLine[] {
  const some = (lines: readonly AttentionLine[]) => all ? lines : lines.slice(0, shownOfKind);
  return [
    ...runtimeLines(troubles, view),
    ...some(failureLines(troubles, view)),
    ...some(deniedLines(troubles, view)),
    ...some(upstreamLines(troubles, view)),
    ...some(expiryLines(troubles, view)),
    ...some(priceLines(troubles, view)),
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

function failureLines({ failures, who }: Troubles, view: AccountView): AttentionLine[] {
  const { catalog: { attention }, formats } = view;
  return failures.groups.map((group) => {
    const cause = causeText(group, verdictLanguage(view));
    const count = formats.count(group.count);
    const filter = { ...group.filter, fromMs: failures.sinceMs };
    return line("bad", attention.failedCalls(`${nameMark}${whoseText(group, who, view)}`, cause), {
      name: attention.calls(failures.more ? `${count}+` : count),
      href: `/console/log${logFilterQuery(filter, logScope(who))}`,
      fix: attention.fixes.calls,
    });
  });
}

/** Names the record whose calls failed. */
function whoseText(
  { whose, example, email }: FailureGroup,
  who: Who,
  { catalog: { attention } }: AccountView,
): string {
  const { keyName, groupId, projectId = "" } = example;
  const isOfOthers = who === "everyone" && email !== undefined;
  switch (whose) {
    case "key":
      return attention.withKey(isOfOthers ? attention.keyOf(keyName, email) : keyName);
    case "account":
      return isOfOthers ? attention.ofAccount(email) : "";
    case "group":
      return attention.inGroup(groupId);
    case "project":
      return attention.ofProject(projectId);
    case undefined:
      return "";
    default:
      return whose satisfies never;
  }
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
  return expiring.map(({ id, name, expiresAtMs = 0 }) =>
    line("warn", attention.expires(nameMark, formats.ahead(expiresAtMs)), {
      name,
      href: `/console/token/${id}/edit`,
      fix: attention.fixes.extend,
    })
  );
}

function priceLines({ unpriced }: Troubles, { catalog: { attention } }: AccountView) {
  return unpriced.map(({ model, calls }) =>
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
