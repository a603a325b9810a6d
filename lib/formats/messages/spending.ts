import { isJsonObject, limitTitle } from "../../canonical/mod.ts";
import type { SpendingCodec } from "../spending_codec.ts";

const prefix = "anthropic-ratelimit-unified";
/** The parts of a budget from which on the client warns, the highest first. */
const thresholds = [0.95, 0.75];

/**
 * The headers from which Claude Code (2.1.225 and later, signed in to the gateway) shows a budget's
 * use, and the end of a budget as it shows it in the gateway's own words (2026-11).
 */
export const spending: SpendingCodec = {
  showsTo: ({ isSignedIn }) => isSignedIn,

  headers: ([{ spentPart, resetsAtMs }]) => {
    const surpassed = thresholds.find((one) => spentPart >= one);
    const status = surpassed === undefined ? "allowed" : "allowed_warning";
    return {
      ...resets(resetsAtMs),
      [`${prefix}-status`]: status,
      [`${prefix}-overage-status`]: status,
      [`${prefix}-representative-claim`]: "overage",
      [`${prefix}-overage-utilization`]: Math.min(0.99, Math.floor(spentPart * 100) / 100)
        .toFixed(2),
      ...(surpassed !== undefined && {
        [`${prefix}-overage-surpassed-threshold`]: String(surpassed),
      }),
    };
  },

  refusal: ({ limit, retryAfterSeconds }, wire) => {
    const { body } = wire;
    if (limit?.resetsAtMs === undefined || retryAfterSeconds === undefined) return wire;
    if (!isJsonObject(body) || !isJsonObject(body.error)) return wire;
    const [period] = /(?:dai|week|month)ly(?= budget$)/.exec(limit.name) ?? [];
    const isShared = !/^(?:key|account) /.test(limit.name);
    const said = `spend limit reached · resets ${dayOf(limit.resetsAtMs)} · ${limitTitle(limit)}`;
    return {
      status: 429,
      headers: {
        ...wire.headers,
        ...resets(limit.resetsAtMs),
        "retry-after": String(Math.ceil(retryAfterSeconds)),
        [`${prefix}-status`]: "rejected",
        [`${prefix}-overage-utilization`]: "1",
        [`${prefix}-overage-surpassed-threshold`]: "1",
        [`${prefix}-overage-disabled-reason`]: "org_spend_cap_reached",
        ...(period !== undefined && { [`${prefix}-overage-period`]: period }),
        ...(isShared && { [`${prefix}-overage-scope`]: "group_pool" }),
      },
      body: { ...body, error: { ...body.error, message: `${said} · ${body.error.message}` } },
    };
  },
};

function resets(atMs: number): Record<string, string> {
  const seconds = String(Math.ceil(atMs / 1_000));
  return { [`${prefix}-reset`]: seconds, [`${prefix}-overage-reset`]: seconds };
}

/** The UTC day, which the client turns into local time: `Dec 1`. */
function dayOf(atMs: number): string {
  const day = { month: "short", day: "numeric", timeZone: "UTC" } as const;
  return new Date(Math.ceil(atMs / 1_000) * 1_000).toLocaleDateString("en-US", day);
}
