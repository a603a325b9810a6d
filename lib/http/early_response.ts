import type { GatewayError, LimitState } from "../canonical/mod.ts";
import type { Framing } from "../formats/codec.ts";
import { concatenated } from "./bytes.ts";
import type { Call } from "./call.ts";
import { gatewayErrorOf, idHeaders } from "./errors.ts";
import { framerOf } from "./framer.ts";
import { limitHeaders } from "./limits.ts";
import { silentKeepAlive, streamHeaders } from "./respond.ts";

export interface EarlyOptions {
  readonly framing: Framing;
  readonly keepAliveMs: number;
  /** How the limits that bind the caller stand, this call counted; none where absent. */
  readonly limitStates?: readonly LimitState[];
  /** Makes a failure durable whose status can no longer be told; called at most once. */
  readonly fail: (error: GatewayError) => Promise<void>;
}

/** Whether an answer still has not begun after a while. */
export async function isSilent(answering: Promise<unknown>, afterMs: number): Promise<boolean> {
  const { promise: waited, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), afterMs);
  const begun = answering.then(() => false, () => false);
  try {
    return await Promise.race([begun, waited]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The response to a caller whose upstream is silent: its status goes out and signs of life follow,
 * so that no proxy in between gives up while a model thinks. The answer follows when it begins; a
 * failure comes in the format's own error form, as behind any first byte.
 */
export function earlyResponse(
  call: Call,
  answering: Promise<Response>,
  options: EarlyOptions,
): Response {
  const keepAlive = silentKeepAlive[options.framing];
  let timer: ReturnType<typeof setInterval> | undefined;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let left = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(keepAlive);
      timer = setInterval(() => controller.enqueue(keepAlive), options.keepAliveMs);
      answering.catch(() => {}).finally(() => clearInterval(timer));
    },
    pull: async (controller) => {
      try {
        reader ??= (await answering).body?.getReader();
      } catch (thrown) {
        const bytes = await failure(call, gatewayErrorOf(thrown), options);
        if (left) return;
        controller.enqueue(bytes);
        return controller.close();
      }
      if (left) return await reader?.cancel(); // the answer began just as the caller left
      const next = await reader?.read();
      if (next && !next.done) controller.enqueue(next.value);
      else if (!left) controller.close();
    },
    cancel: async (reason) => {
      left = true;
      clearInterval(timer);
      await reader?.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return new Response(body, {
    headers: {
      ...idHeaders(call.id),
      ...limitHeaders(call, options.limitStates ?? []),
      ...streamHeaders[options.framing],
    },
  });
}

async function failure(
  call: Call,
  error: GatewayError,
  { framing, fail }: EarlyOptions,
): Promise<Uint8Array> {
  await fail(error);
  const framer = framerOf(framing);
  const events = call.codec.encodeStreamError(error, call.id);
  return concatenated([...events.map((event) => framer.frame(event)), framer.close()]);
}
