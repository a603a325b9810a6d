import { permits } from "../../accounts/mod.ts";
import { activeAlerts } from "../../alerts/mod.ts";
import { type Alert, type CacheAlert, percentUsed } from "../../store/alerts/mod.ts";
import type { Store } from "../../store/mod.ts";
import { getUser, type User } from "../../store/users/mod.ts";
import {
  deliveriesOfEvent,
  listEndpoints,
  type WebhookDelivery,
} from "../../store/webhooks/mod.ts";
import { configuredId } from "../../webhooks/mod.ts";
import { modelPath } from "../models/model_list.ts";
import { periodText } from "../keys/budget_words.ts";
import { cacheMissText } from "../keys/cache_words.ts";
import type { AccountView } from "../page/view.ts";
import { ownerHref } from "./near_limits.ts";

/** An alert as one reader sees it. */
export interface AttentionItem {
  readonly alert: Alert;
  /** True for the reader's own account or key. */
  readonly own: boolean;
  /** The e-mail address of the key's owner, unless that is the reader. */
  readonly keyOwner?: string;
  /** A delivery that failed; for administrators only, who can do something about it. */
  readonly failed?: WebhookDelivery;
}

/** One line of the list: a sentence with a name in it, and a second line. */
export interface AttentionLine {
  readonly tone: "warn" | "bad";
  readonly before: string;
  readonly name: string;
  readonly after: string;
  /** The page on which the reader can act. */
  readonly href?: string;
  /** The name of that action. */
  readonly fix?: string;
  readonly amounts?: string;
  readonly resetsAtMs?: number;
  /** The state of its webhook delivery, if it needs attention. */
  readonly delivery?: string;
}

/** The words of a line, for a page or a mail. */
type LineView = Pick<AccountView, "catalog" | "formats">;

/** The active alerts, newest first: the reader's own, or everybody's for roles that read alerts. */
export async function attentionOf(
  store: Store,
  { id, role }: Pick<User, "id" | "role">,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<AttentionItem[]> {
  const query = { nowMs, limit, ...(!permits(role, "alerts:read") && { accountId: id }) };
  const alerts = await activeAlerts(store, query);
  const receivers = permits(role, "webhooks:read") && alerts.length > 0
    ? await receiverIds(store)
    : [];
  return await Promise.all(alerts.map(async (alert): Promise<AttentionItem> => {
    const own = alert.accountId === id;
    const failed = await failedDelivery(store, alert, receivers);
    const item = { alert, own, ...(failed && { failed }) };
    if (own || alert.owner !== "key" || alert.accountId === undefined) return item;
    const user = await getUser(store, alert.accountId);
    return { ...item, ...(user && { keyOwner: user.email }) };
  }));
}

async function receiverIds(store: Store): Promise<string[]> {
  return [configuredId, ...(await listEndpoints(store)).map(({ id }) => id)];
}

async function failedDelivery(
  store: Store,
  { id }: Alert,
  receivers: readonly string[],
): Promise<WebhookDelivery | undefined> {
  const deliveries = await deliveriesOfEvent(store, id, receivers);
  return deliveries.find(({ state, attempts }) => state === "waiting" && attempts > 0) ??
    deliveries.find(({ state }) => state === "abandoned");
}

/** An item in the reader's words. */
export function attentionLine(item: AttentionItem, view: LineView): AttentionLine {
  const { alert } = item;
  const [before, after] = sentenceOf(alert, view).split(nameMark);
  return {
    tone: isUsedUp(alert) ? "bad" : "warn",
    before,
    name: nameOf(item, view),
    after,
    ...fixOf(item, view),
    ...amountsOf(alert, view),
    ...deliveryOf(item, view),
  };
}

/** Placeholder for the name, which is a link. */
export const nameMark = "\0";

function sentenceOf(alert: Alert, { catalog, formats }: LineView): string {
  const { attention, caches } = catalog;
  if (alert.type === "budget") {
    return alert.refused
      ? periodText(attention.refused, alert.period, catalog)(nameMark)
      : periodText(attention.used, alert.period, catalog)(nameMark, percentUsed(alert));
  }
  if (alert.type === "usage") {
    const [stated, counted] = [alert.statedTokens, alert.countedTokens].map(formats.count);
    return attention.stated[alert.charged](nameMark, stated, counted);
  }
  if (alert.type === "retirement") return attention.retiring(nameMark, alert.retires);
  if (alert.type === "cache") {
    const [tokens, lost] = [formats.count(alert.writtenTokens), formats.money(alert.lostNanoUsd)];
    return caches.neverRead(nameMark, tokens, lost);
  }
  const left = formats.money(alert.balanceNanoUsd);
  return attention[alert.refused ? "lowRefused" : "low"](nameMark, left);
}

function nameOf(
  { alert, own, keyOwner }: AttentionItem,
  { catalog: { attention, caches } }: LineView,
): string {
  if (alert.type === "usage") return attention.upstream(alert.upstreamId);
  if (alert.type === "retirement") return alert.model;
  const { owner, name } = alert;
  switch (owner) {
    case "key": {
      const key = keyOwner === undefined ? name : attention.keyOf(name, keyOwner);
      const session = alert.type === "cache" ? alert.sessionId : undefined;
      return session === undefined ? key : caches.session(session, key);
    }
    case "group":
      return attention.group(name);
    case "project":
      return attention.project(name);
    case "organization":
      return attention.organization;
    case "tag":
      return attention.tag(name);
    case "account":
      return own ? attention.ownAccount : name;
    default:
      return owner satisfies never;
  }
}

function isUsedUp(alert: Alert): boolean {
  if (alert.refused) return true;
  if (alert.type !== "budget" && alert.type !== "balance") return false;
  return alert.type === "budget" ? percentUsed(alert) >= 100 : alert.balanceNanoUsd <= 0n;
}

/** The page on which the limit, the balance or the call of an alert can be acted on. */
function fixOf(
  { alert, own }: AttentionItem,
  { catalog: { attention: { fixes } } }: LineView,
): Pick<AttentionLine, "href" | "fix"> {
  const { type, owner, ownerId } = alert;
  if (type === "usage") return { href: `/console/log/${alert.callId}`, fix: fixes.call };
  if (type === "retirement") return { href: modelPath(alert.model), fix: fixes.model };
  if (type === "cache") {
    const { sessionId } = alert;
    const path = `/console/token/${ownerId}`;
    return sessionId === undefined
      ? { href: path, fix: fixes.key }
      : { href: `${path}/sessions?session=${sessionId}`, fix: fixes.session };
  }
  if (type === "balance") {
    const href = own ? "/console/topup" : `${ownerHref("account", ownerId)}/funds`;
    return { href, fix: fixes.funds };
  }
  if (own && owner !== "key" && owner !== "account") return {};
  return { href: ownerHref(owner, ownerId, { own }), fix: fixes[own ? "limit" : "raise"] };
}

function amountsOf(
  alert: Alert,
  { catalog, formats }: LineView,
): Pick<AttentionLine, "amounts" | "resetsAtMs"> {
  if (alert.type === "cache") return { amounts: cacheAdvice(alert, catalog) };
  if (alert.type !== "budget") return {};
  const [spent, limit] = [alert.spentNanoUsd, alert.limitNanoUsd].map(formats.money);
  return { amounts: catalog.attention.amounts(spent, limit), resetsAtMs: alert.endsAtMs };
}

function cacheAdvice({ miss, advice }: CacheAlert, catalog: LineView["catalog"]): string {
  const { caches } = catalog;
  const text = caches.advice[advice];
  return miss === undefined ? text : caches.because(cacheMissText(miss, catalog), text);
}

function deliveryOf(
  { failed }: AttentionItem,
  { catalog: { attention } }: LineView,
): { readonly delivery?: string } {
  if (failed === undefined) return {};
  return { delivery: failed.state === "waiting" ? attention.undelivered : attention.abandoned };
}
