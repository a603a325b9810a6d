import { encodedText } from "../http/body/slab.ts";
import type { Decoded } from "../http/decode.ts";
import type { RecordedBody } from "../store/recordings/mod.ts";

/** Takes memory for contents that wait for the store; returns false if there is no more. */
type TakeMemory = (bytes: number) => boolean;

/** A body before it is shortened and stored. */
export class SeenBody implements Pick<RecordedBody, "contentType" | "isCut" | "missing"> {
  readonly contentType: string;
  readonly pieces: Uint8Array[] = [];
  /** The size of the whole body. */
  bytes = 0;
  /** The memory that it holds. */
  takenBytes = 0;
  isCut = false;
  missing?: RecordedBody["missing"];
  readonly #take: TakeMemory;

  constructor(contentType: string, take: TakeMemory) {
    this.contentType = contentType;
    this.#take = take;
    if (!isText.test(contentType)) this.missing = "binary";
  }

  /** Adds a piece, which must not change from then on. */
  push(piece: Uint8Array): void {
    this.bytes += piece.length;
    if (this.missing || this.isCut) return;
    const bytes = piece.length + pieceBytes;
    if (this.#take(bytes)) {
      this.takenBytes += bytes;
      this.pieces.push(piece);
    } else if (this.takenBytes === 0) this.missing = "busy";
    else this.isCut = true;
  }
}

/** The memory of an array beside its bytes, which may be few in a stream (V8 14: 460). */
const pieceBytes = 500;

const isText = /json|^text\/|multipart\/form-data/i;

interface RecordingOptions {
  readonly take: TakeMemory;
  /** Called once, when the answer has ended for its caller. */
  readonly ended: (recording: CallRecording) => void;
}

/** Collects the request and the answer of one call. Never waits for the store. */
export class CallRecording {
  readonly #options: RecordingOptions;
  #isEnded = false;
  /** Absent until the request is read. */
  request?: SeenBody;
  /** Absent until the answer begins. */
  answer?: SeenBody;

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  /** Notes the request. Of a form only its fields are kept: its files are no text. */
  asked({ read: { bytes, text, body } }: Pick<Decoded, "read">): void {
    const isForm = bytes === undefined && text === "";
    const type = isForm ? "multipart/form-data" : "application/json";
    this.request = new SeenBody(type, this.#options.take);
    this.request.push(bytes ?? encodedText(isForm ? JSON.stringify(body) : text));
  }

  /** The same answer for its caller, which is noted while it is sent. */
  async answered(response: Response): Promise<Response> {
    const type = response.headers.get("content-type") ?? "";
    const answer = this.answer = new SeenBody(type, this.#options.take);
    if (response.body && response.headers.has("x-accel-buffering")) { // a stream
      const watched = { seen: (piece: Uint8Array) => answer.push(piece.slice()) };
      return new Response(
        watchedBody(response.body, { ...watched, over: () => this.#end() }),
        response,
      );
    }
    const bytes = await response.bytes();
    answer.push(bytes);
    this.#end();
    return new Response(bytes, response);
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#options.ended(this);
  }
}

/** The same body, whose pieces and end are reported. */
function watchedBody(
  body: ReadableStream<Uint8Array>,
  { seen, over }: { readonly seen: (piece: Uint8Array) => void; readonly over: () => void },
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          seen(value);
          return controller.enqueue(value);
        }
        over();
        controller.close();
      } catch (error) {
        over();
        controller.error(error);
      }
    },
    cancel: async (reason) => {
      over();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
