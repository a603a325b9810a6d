import { retirementOf } from "../catalog/mod.ts";
import { raiseAlertOnce, type RetirementAlert } from "../store/alerts/mod.ts";
import type { Directory } from "../store/directory/mod.ts";
import { newOrderedId } from "../store/kv/id.ts";
import { streamRequestLogs } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { organizationId } from "../store/money/mod.ts";
import type { Report } from "../telemetry/log.ts";
import { namesInUse } from "./feed_changes.ts";

const dayMs = 86_400_000;
const noticeDays = 60;
const usedDays = 7;

/**
 * Raises an alert about each model that the vendor shuts down within two months and that was called
 * in the last week: once for each date.
 */
export async function raiseRetirements(
  store: Store,
  directory: Pick<Directory, "models" | "upstreams" | "upstreamLists" | "priceFeed">,
  { now, retentionMs, report, onAlert }: {
    readonly now: () => number;
    readonly retentionMs: number;
    readonly report: Report;
    readonly onAlert?: () => void;
  },
): Promise<void> {
  const nowMs = now();
  const feed = directory.priceFeed();
  for (const model of namesInUse(directory)) {
    const { date, successor } = retirementOf(model, feed) ?? {};
    if (date === undefined || !isNear(date, nowMs) || !await isCalled(store, model, nowMs)) {
      continue;
    }
    const alert: RetirementAlert = {
      id: `alert_${newOrderedId(nowMs)}`,
      atMs: nowMs,
      type: "retirement",
      owner: "organization",
      ownerId: organizationId,
      name: model,
      allowanceId: `retirement:${model}:${date}`,
      refused: false,
      model,
      retires: date,
      ...(successor !== undefined && { successor }),
      expiresAtMs: nowMs + retentionMs,
    };
    const mark = { id: alert.allowanceId, expiresAtMs: Date.parse(date) + noticeDays * dayMs };
    if (!await raiseAlertOnce(store, mark, { alert, nowMs })) continue;
    onAlert?.();
    report("warn", "Alert raised", { alertId: alert.id, type: "model.retiring", model });
  }
}

function isNear(date: string, nowMs: number): boolean {
  const leftMs = Date.parse(date) - nowMs;
  return leftMs > -dayMs && leftMs < noticeDays * dayMs;
}

async function isCalled(store: Store, model: string, nowMs: number): Promise<boolean> {
  const period = { fromMs: nowMs - usedDays * dayMs, toMs: nowMs + 1 };
  for await (const rows of streamRequestLogs(store, { model, ...period })) {
    if (rows.length > 0) return true;
  }
  return false;
}
