import type { SpendingCodec } from "../spending_codec.ts";

/** The names under which Codex shows its two limits. */
const places = ["primary", "secondary"] as const;

/** The headers from which Codex shows how full its limits are, in `/status` (0.171.0, 2026-11). */
export const spending: SpendingCodec = {
  showsTo: ({ userAgent }) => userAgent.startsWith("codex_"),

  headers: (budgets) =>
    Object.fromEntries(places.flatMap((place, at) => {
      const budget = budgets.at(at);
      if (!budget) return [];
      const { spentPart, lengthMs, resetsAtMs } = budget;
      return Object.entries({
        "used-percent": Math.floor(spentPart * 100),
        "window-minutes": Math.round(lengthMs / 60_000),
        "reset-at": Math.ceil(resetsAtMs / 1_000),
      }).map(([name, value]) => [`x-codex-${place}-${name}`, String(value)]);
    })),
};
