import { callerLeft, type GatewayError, type LimitState } from "../../canonical/mod.ts";
import type { Framing } from "../../formats/wire.ts";
import type { Call } from "../call.ts";
import { answerHeaders, gatewayErrorOf, limitHeaders } from "../errors.ts";
import { errorOnceSent } from "../hang_up.ts";
import { streamHeaders } from "../respond.ts";
import { closeBehindSigns, earlySigns, errorForm } from "./framing.ts";

interface EarlyOptions {
  readonly framing: Framing;
  readonly keepAliveMs: number;
  /** The state of the caller's limits, including this call; default: none. */
  readonly limitStates?: readonly LimitState[];
  /** Records a failure whose status can no longer be sent; called at most once. */
  readonly fail: (error: GatewayError) => Promise<void>;
}

/**
 * The response while the upstream is silent: sends the status and keep-alives, so that no proxy
 * times out while a model thinks. The answer follows when it starts; a failure is sent in the
 * format's own error form, as after any first byte.
 */
export function earlyResponse(
  call: Call,
  answering: Promise<Response>,
  options: EarlyOptions,
): Response {
  const signs = earlySigns(call.codec, options.framing);
  let timer: ReturnType<typeof setInterval> | undefined;
  let left = false;
  let broken: GatewayError | undefined;
  // Runs at once rather than on the first read: the caller may have disconnected, and the call is
  // settled all the same.
  const beginning = begin(call, answering, { ...options, hasLeft: () => left });
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(signs.next());
      timer = setInterval(() => controller.enqueue(signs.next()), options.keepAliveMs);
      beginning.catch(() => {}).finally(() => clearInterval(timer));
    },
    pull: async (controller) => {
      const { reader, failure } = await beginning;
      if (left) return;
      if (broken) return await errorOnceSent(controller, broken);
      const next = await reader?.read();
      if (next && !next.done) return controller.enqueue(signs.continuedBy(next.value));
      if (failure) controller.enqueue(signs.continuedBy(failure.words));
      if (failure && call.codec.ignoresErrors) broken = failure.error;
      else if (!left) closeBehindSigns(controller, signs);
    },
    cancel: (reason) => {
      left = true;
      clearInterval(timer);
      // it may never start, and a failure to settle was reported already
      void beginning.then(({ reader }) => reader?.cancel(reason)).catch(() => {});
    },
  }, { highWaterMark: 0 });
  return new Response(body, {
    headers: {
      ...answerHeaders(call.id),
      ...limitHeaders(call, options.limitStates ?? []),
      ...streamHeaders[options.framing],
    },
  });
}

interface Beginning {
  readonly reader?: ReadableStreamDefaultReader<Uint8Array>;
  /** The error form of an answer that never started. */
  readonly failure?: { readonly error: GatewayError; readonly words: Uint8Array };
}

async function begin(
  call: Call,
  answering: Promise<Response>,
  { fail, framing, hasLeft }: EarlyOptions & { readonly hasLeft: () => boolean },
): Promise<Beginning> {
  try {
    return { reader: (await answering).body?.getReader() };
  } catch (thrown) {
    const error = hasLeft() ? callerLeft() : gatewayErrorOf(thrown);
    const recorded = await fail(error).then(() => error, gatewayErrorOf); // or the reason why it cannot be recorded
    return { failure: { error: recorded, words: errorForm(call, recorded, framing) } };
  }
}
