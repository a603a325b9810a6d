/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { type PasswordJob, type PasswordResult, runPasswordJob } from "./password_hash.ts";

/**
 * Runs argon2 in a thread of its own, because it would block every stream of the serving thread.
 */
self.onmessage = async ({ data }: MessageEvent<PasswordJob>) =>
  self.postMessage(await result(data));

async function result(job: PasswordJob): Promise<PasswordResult> {
  try {
    return { type: "done", id: job.id, value: await runPasswordJob(job) };
  } catch (error) {
    return { type: "failed", id: job.id, reason: String(error) };
  }
}
