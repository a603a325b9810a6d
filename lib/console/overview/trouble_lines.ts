import { sentenceOfMany, verdictOf } from "../../verdict/mod.ts";
import { verdictLanguage } from "../calls/call_words.ts";
import { setPricePath } from "../models/model_path.ts";
import type { AccountView } from "../page/view.ts";
import { type AttentionLine, nameMark } from "./attention.ts";
import { logScope } from "./spend_chart.ts";
import type { Troubles } from "./troubles.ts";

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
