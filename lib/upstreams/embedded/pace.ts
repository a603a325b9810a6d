import { type CanonicalRequest, GatewayError } from "../../canonical/mod.ts";

/** The speed of an answer, and the signal that cancels it. */
export interface AnswerPace {
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

const defaultPaceMs = 4;
/** The longest duration of a part; a longer one streams several words at a time. */
const partMsMax = 30_000;
/** Long enough for a word, short enough to be a stream. */
const stepCharsMax = 64;

/** The pace of the prompt, else of the options; 0 for an answer that is not streamed. */
export function paceOf(
  { stream }: CanonicalRequest,
  prompt: { readonly paceMs?: number },
  options: { readonly paceMs?: number; readonly signal: AbortSignal },
): AnswerPace {
  const usual = stream ? options.paceMs ?? defaultPaceMs : 0;
  return { paceMs: prompt.paceMs ?? usual, signal: options.signal };
}

/** Splits a text into the pieces of a stream. */
export function* pacedSteps(text: string, { paceMs }: AnswerPace): Generator<string> {
  const words = [...wordsOf(text)];
  const stepsMax = paceMs > 0 ? Math.max(1, Math.floor(partMsMax / paceMs)) : words.length;
  const wordsPerStep = Math.max(1, Math.ceil(words.length / stepsMax));
  for (let start = 0; start < words.length; start += wordsPerStep) {
    yield words.slice(start, start + wordsPerStep).join("");
  }
}

/** Waits for one step; rejects at once on cancellation and leaves no timer. */
export function waitStep({ paceMs, signal }: AnswerPace): Promise<void> {
  if (signal.aborted) return Promise.reject(cancelled(signal));
  if (paceMs <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, paceMs);
    function abort() {
      clearTimeout(timer);
      reject(cancelled(signal));
    }
    signal.addEventListener("abort", abort, { once: true });
  });
}

/** Never resolves: rejects when the answer is cancelled. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  if (signal.aborted) return Promise.reject(cancelled(signal));
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(cancelled(signal)), { once: true });
  });
}

function* wordsOf(text: string): Generator<string> {
  for (const [word] of text.matchAll(/\s*\S+\s*|\s+/g)) yield* pieces(word);
}

function* pieces(word: string): Generator<string> {
  if (word.length <= stepCharsMax) return yield word;
  for (const [piece] of word.matchAll(new RegExp(`[^]{1,${stepCharsMax}}`, "gu"))) yield piece;
}

/** The abort reason if it is a `GatewayError`, such as a timeout or a shutdown. */
function cancelled({ reason }: AbortSignal): GatewayError {
  if (reason instanceof GatewayError) return reason;
  return new GatewayError("client_closed", "Cannot finish the response: the call was canceled", {
    cause: reason,
  });
}
