import { type CanonicalRequest, GatewayError } from "../../canonical/mod.ts";

/** How fast an answer is spoken, and who may cut it short. */
export interface Pace {
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

const defaultPaceMs = 4;
/** A longer answer is spoken several words at a time. */
const partMsMax = 30_000;
/** Long enough for a word, short enough to be a stream. */
const stepCharsMax = 64;

/** What the prompt asks for, else what the caller of the model says; whole answers do not wait. */
export function paceOf(
  { stream }: CanonicalRequest,
  prompt: { readonly paceMs?: number },
  options: { readonly paceMs?: number; readonly signal: AbortSignal },
): Pace {
  const usual = stream ? options.paceMs ?? defaultPaceMs : 0;
  return { paceMs: prompt.paceMs ?? usual, signal: options.signal };
}

/** The pieces of a text in the order they are spoken. */
export function* steps(text: string, { paceMs }: Pace): Generator<string> {
  const words = [...wordsOf(text)];
  const stepsMax = paceMs > 0 ? Math.max(1, Math.floor(partMsMax / paceMs)) : words.length;
  const wordsPerStep = Math.max(1, Math.ceil(words.length / stepsMax));
  for (let start = 0; start < words.length; start += wordsPerStep) {
    yield words.slice(start, start + wordsPerStep).join("");
  }
}

/** Rejects at once when the answer is cancelled, and leaves no timer behind. */
export function wait({ paceMs, signal }: Pace): Promise<void> {
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

/** The reason of whoever cancelled, where it is one of ours: a time-out, a shutdown. */
function cancelled({ reason }: AbortSignal): GatewayError {
  if (reason instanceof GatewayError) return reason;
  return new GatewayError("client_closed", "Cannot finish the response: the call was canceled", {
    cause: reason,
  });
}
