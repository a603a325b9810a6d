import { createUpstream, keepUpstreamList, listSource } from "../../../lib/store/catalog/mod.ts";
import type { TestConsole } from "../console.ts";
import { addCall } from "../records.ts";
import { sample } from "../upstreams/upstream_scene.ts";
import { callIdAt } from "./call_id.ts";

export const failed = { outcome: "upstream_error", costNanoUsd: 0n, model: "gpt-5-mini" } as const;
export const attempt = {
  upstreamId: "acme",
  upstreamModel: "acme-1",
  upstreamFormat: "messages",
  outcome: "upstream_error",
  status: 429,
  errorCode: "rate_limit_exceeded",
  errorType: "tokens",
  errorMessage: "Rate limit reached: limit 200000, used 198214.",
} as const;
export const rateLimited = {
  ...failed,
  status: 429,
  errorCode: "rate_limit_exceeded",
  attempts: [
    { ...attempt, startedAfterMs: 10, durationMs: 84 },
    { ...attempt, startedAfterMs: 2_100, durationMs: 81 },
  ],
  durationMs: 2_200,
  firstByteMs: undefined,
} as const;

/** A call that failed at `acme`, and an upstream `backup` that lists its model. Returns its page. */
export async function addFallbackScene({ store, directory }: TestConsole): Promise<string> {
  const backup = sample({ id: "backup" });
  await createUpstream(store, sample({ id: "acme", models: [{ id: "gpt-5-mini" }] }));
  await createUpstream(store, backup);
  await keepUpstreamList(store, {
    upstreamId: "backup",
    source: listSource(backup),
    models: [{ id: "gpt-5" }, { id: "gpt-5-mini" }],
    isComplete: true,
  });
  await addCall(store, { ...callIdAt(60_000, 1), ...rateLimited });
  await directory.refresh();
  return `/console/log/${callIdAt(60_000, 1).id}`;
}
