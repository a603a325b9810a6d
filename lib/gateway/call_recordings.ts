import type { Caller } from "../accounts/authorize.ts";
import { concatenated } from "../bytes.ts";
import type { Limits } from "../config.ts";
import type { Call } from "../http/call.ts";
import { Pace } from "../pace.ts";
import { Serial } from "../serial.ts";
import type { Store } from "../store/mod.ts";
import { type RecordedBody, saveRecordedContent } from "../store/recordings/mod.ts";
import { firstAccountId } from "../store/users/mod.ts";
import { withoutBase64 } from "./base64_runs.ts";
import { CallRecording, type SeenBody } from "./call_recording.ts";

interface RecordingsOptions {
  readonly limits: Pick<
    Limits,
    "recordedContentDays" | "recordedBodyBytesMax" | "recordedMemoryBytesMax"
  >;
  readonly now: () => number;
  /** Called if a content could not be stored. */
  readonly report: (cause: unknown, requestId: string) => void;
}

type RecordedKey = Caller["key"];

const dayMs = 86_400_000;
/** Further contents are not recorded: the store is slower than the calls. */
const waitingMax = 1_000;

/**
 * Records requests and answers for the keys and accounts for which an operator switched that on.
 * Calls only collect, in bounded memory; contents are shortened and stored later, one at a time.
 */
export class CallRecordings {
  readonly #store: Store;
  readonly #options: RecordingsOptions;
  readonly #serial = new Serial();
  #takenBytes = 0;
  #waiting = 0;

  constructor(store: Store, options: RecordingsOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Begins the recording of a call; undefined once its time is over, or if too many wait. */
  begin(call: Call, { key }: Pick<Caller, "key">): CallRecording | undefined {
    const { recordUntilMs = 0 } = key;
    if (recordUntilMs <= call.startedAtMs || this.#waiting >= waitingMax) return undefined;
    return new CallRecording({
      take: (bytes) => this.#take(bytes),
      ended: (recording) => this.#ended(call, key, recording),
    });
  }

  /** Resolves once everything that was recorded so far is stored. */
  settled(): Promise<void> {
    return this.#serial.run(() => Promise.resolve());
  }

  #take(bytes: number): boolean {
    if (this.#takenBytes + bytes > this.#options.limits.recordedMemoryBytesMax) return false;
    this.#takenBytes += bytes;
    return true;
  }

  #ended({ id, wirePath }: Call, key: RecordedKey, { request, answer }: CallRecording): void {
    this.#waiting++;
    const seen = { id, path: wirePath, request, answer };
    void this.#serial.run(() => this.#save(seen, key))
      .catch((cause) => this.#options.report(cause, id))
      .finally(() => {
        this.#waiting--;
        this.#takenBytes -= (request?.takenBytes ?? 0) + (answer?.takenBytes ?? 0);
      });
  }

  async #save(
    { id, path, ...seen }: {
      readonly id: string;
      readonly path: string;
      readonly request: SeenBody | undefined;
      readonly answer: SeenBody | undefined;
    },
    { id: keyId, accountId, digest }: RecordedKey,
  ): Promise<void> {
    const { limits, now } = this.#options;
    const request = seen.request && await shortened(seen.request, limits.recordedBodyBytesMax);
    const answer = seen.answer && await shortened(seen.answer, limits.recordedBodyBytesMax);
    const nowMs = now();
    await saveRecordedContent(this.#store, { id, accountId, keyId }, {
      content: { path, ...(request && { request }), ...(answer && { answer }) },
      nowMs,
      expiresAtMs: nowMs + limits.recordedContentDays * dayMs,
      owners: { key: digest !== "", user: accountId !== firstAccountId },
    });
  }
}

/** A body without its base64, and without what exceeds its maximum size. */
async function shortened(seen: SeenBody, bytesMax: number): Promise<RecordedBody> {
  const { contentType, bytes, missing } = seen;
  const found = withoutBase64(concatenated(seen.pieces));
  const { pieces, base64Bytes } = await new Pace().through(found);
  const text = concatenated(pieces);
  const end = textEnd(text, bytesMax);
  return {
    text: text.slice(0, end),
    contentType,
    bytes,
    ...(base64Bytes > 0 && { base64Bytes }),
    ...((seen.isCut || end < text.length) && { isCut: true }),
    ...(missing && { missing }),
  };
}

/** The end of the first `bytesMax` bytes without half a character. */
function textEnd(text: Uint8Array, bytesMax: number): number {
  if (text.length <= bytesMax) return text.length;
  let end = bytesMax;
  while (end > 0 && (text[end] & 0xc0) === 0x80) end--;
  return end;
}
