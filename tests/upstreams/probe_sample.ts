import type { UpstreamRecord } from "../../lib/store/catalog/mod.ts";
import { createSend } from "../../lib/upstreams/send.ts";

/** An upstream as the configuration would declare it, with one key. */
export function sampleUpstream(fields: Partial<UpstreamRecord>): UpstreamRecord {
  return {
    id: "up",
    endpoints: {},
    credentials: ["up-secret"],
    models: [{ id: "*" }],
    priority: 0,
    weight: 1,
    groups: ["*"],
    timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
    enabled: true,
    origin: "config",
    ...fields,
  };
}

export const send = createSend({ dialFirst: true });
