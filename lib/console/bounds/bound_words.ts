import { ownerPath, refuserPath, rollingIn } from "../../canonical/mod.ts";
import type { Bound, EffectiveBounds } from "../../ledger/mod.ts";
import { limitAmount } from "../calls/call_words.ts";
import { usedShare } from "../keys/budget_use.ts";
import { lengthText } from "../keys/budget_words.ts";
import type { AccountView } from "../page/view.ts";

/** An owner with what it bounds, in the reader's language. */
export interface BoundSection {
  readonly name: string;
  /** The page on which it is changed, if the reader may open it. */
  readonly href?: string;
  readonly bounds: readonly ShownBound[];
  /** The patterns of the models that it allows; absent: it has no rule. */
  readonly models?: readonly string[];
}

/** A budget, a limit or a balance. */
export interface ShownBound {
  readonly name: string;
  /** `$3.20 of $20`; `Shared with others` if the reader may not know the amounts. */
  readonly amount: string;
  /** The used share; absent if it is unknown or hidden. */
  readonly share?: number;
  /** The rest, and the time of the reset. */
  readonly hint: string;
}

/** The limits and rules in force, by owner. */
export function boundSections(
  { limits, models }: EffectiveBounds,
  view: AccountView,
): BoundSection[] {
  const all = [...models.map(({ owner, id }) => ({ owner, id })), ...limits];
  const owners = [
    ...new Map(all.map(({ owner, id }) => [`${owner} ${id}`, { owner, id }])).values(),
  ];
  const order: readonly string[] = sectionOrder;
  return owners.toSorted((a, b) => order.indexOf(a.owner) - order.indexOf(b.owner)).map((one) => {
    const isOwn = ({ owner, id }: Pick<Bound, "owner" | "id">) =>
      owner === one.owner && id === one.id;
    const rule = models.find(isOwn);
    const href = hrefFor(one, view);
    return {
      name: view.catalog.bounds.owner[one.owner](one.id),
      ...(href !== undefined && { href }),
      bounds: limits.filter(isOwn).map((bound) => shownBound(bound, view)),
      ...(rule && { models: rule.models }),
    };
  });
}

const sectionOrder = [
  "wallet",
  "key",
  "account",
  "group",
  "project",
  "tag",
  "organization",
] as const satisfies readonly Bound["owner"][];

function hrefFor(
  { owner, id }: Pick<Bound, "owner" | "id">,
  { may, opens, path }: AccountView,
): string | undefined {
  const isFunded = owner === "wallet" && may("wallets:read");
  const href = isFunded ? `${ownerPath("account", id)}#funds` : refuserPath({ owner, id }, id);
  return href === path || !opens(href) ? undefined : href;
}

function shownBound(bound: Bound, view: AccountView): ShownBound {
  const { catalog: { bounds: texts } } = view;
  const { owner, limit, used, left } = bound;
  const name = boundName(bound, view);
  const hint = view.formats.list(hintsOf(bound, view));
  if (isHidden(bound, view)) {
    return { name, amount: left === 0n ? texts.usedUp : texts.hidden, hint };
  }
  if (owner === "wallet") return { name, amount: limitAmount(bound, left ?? 0n, view), hint };
  const most = limitAmount(bound, limit ?? 0n, view);
  if (used === undefined) return { name, amount: most, hint };
  return {
    name,
    amount: texts.of(limitAmount(bound, used, view), most),
    share: shareOf(bound),
    hint,
  };
}

/** The organization's and a tag's amounts would show every member what all others spend. */
function isHidden({ owner }: Bound, { may }: AccountView): boolean {
  return (owner === "organization" || owner === "tag") && !may("projects:read");
}

/** The used share of a bound, from 0 to 1. */
export function shareOf({ used = 0n, limit = 0n }: Bound): number {
  return Math.min(1, usedShare(used, limit));
}

/** The fullest budget whose amounts the reader may know; undefined if there is none. */
export function fullestBudget(
  { limits }: EffectiveBounds,
  view: AccountView,
): (Bound & Required<Pick<Bound, "period">>) | undefined {
  const budgets = limits.flatMap((bound) => {
    const { kind, period, used } = bound;
    const isShown = kind === "money" && used !== undefined && !isHidden(bound, view);
    return isShown && period !== undefined ? [{ ...bound, period }] : [];
  });
  return budgets.toSorted((a, b) => shareOf(b) - shareOf(a))[0];
}

/** The name of a limit without its owner. */
function boundName({ name, period }: Bound, { catalog }: AccountView): string {
  const { bounds: texts } = catalog;
  if (period === "session") return texts.perSession;
  const rolling = rollingIn({ name });
  if (rolling) return texts.rolling[rolling.kind](lengthText(rolling, catalog));
  const words: Readonly<Record<string, string>> = texts.what;
  const what = name.slice(name.indexOf(" ") + 1);
  return words[what] ?? what;
}

function hintsOf(bound: Bound, view: AccountView): string[] {
  const { catalog: { bounds: texts, keyList }, formats } = view;
  const { owner, left, used, period, resetsAtMs, leavesAtMs, timeZone } = bound;
  const hints: string[] = [];
  if (used !== undefined && left !== undefined && !isHidden(bound, view)) {
    hints.push(texts.left(limitAmount(bound, left, view)));
  }
  if (resetsAtMs !== undefined) {
    hints.push(texts.resets(formats.brief(resetsAtMs), timeZone ?? "UTC"));
  } else if (leavesAtMs !== undefined) hints.push(texts.leaves(formats.brief(leavesAtMs)));
  else if (period === "total") hints.push(keyList.never);
  if (owner === "wallet" && left === 0n) hints.push(texts.empty);
  return hints;
}
