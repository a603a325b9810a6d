/** Types of HTTP/2 frames (RFC 9113, section 6). */
export const frameTypes = { headers: 1, settings: 4, pushPromise: 5, continuation: 9 } as const;

/** Flags of HTTP/2 frames. */
export const frameFlags = { ack: 1, endStream: 1, endHeaders: 4 } as const;

/** Frames that carry a field block; END_HEADERS marks the last one of the block. */
const fieldBlockTypes: ReadonlySet<number> = new Set([
  frameTypes.headers,
  frameTypes.pushPromise,
  frameTypes.continuation,
]);

/** Length of the fixed header of a frame. */
const headBytes = 9;
/** Length of the preface that a client sends before its first frame. */
export const prefaceBytes = 24;

interface FrameHead {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
}

/** Follows the frames of one direction of an HTTP/2 connection. */
export class FrameReader {
  readonly #onFrame: (head: FrameHead) => void;
  readonly #head = new Uint8Array(headBytes);
  #filled = 0;
  #skip: number;
  #hasBegun = false;
  /** True between a frame of a field block and its continuation. */
  #isInFieldBlock = false;

  /** `skip`: bytes before the first frame. `onFrame` is called with the head of each frame. */
  constructor(skip: number, onFrame: (head: FrameHead) => void = () => {}) {
    this.#skip = skip;
    this.#onFrame = onFrame;
  }

  /**
   * True if another frame may be inserted after the bytes read so far. Within a field block, it
   * would be a connection error (RFC 9113, section 5.5).
   */
  get isBetweenFrames(): boolean {
    return this.#hasBegun && this.#skip === 0 && this.#filled === 0 && !this.#isInFieldBlock;
  }

  read(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const count = Math.min(this.#skip || headBytes - this.#filled, bytes.length - at);
      if (this.#skip > 0) this.#skip -= count;
      else this.#fill(bytes.subarray(at, at + count));
      at += count;
    }
  }

  #fill(bytes: Uint8Array): void {
    this.#head.set(bytes, this.#filled);
    this.#filled += bytes.length;
    if (this.#filled < headBytes) return;
    const view = new DataView(this.#head.buffer);
    this.#filled = 0;
    this.#skip = view.getUint32(0) >>> 8;
    this.#hasBegun = true;
    const [type, flags] = [view.getUint8(3), view.getUint8(4)];
    if (fieldBlockTypes.has(type)) this.#isInFieldBlock = !(flags & frameFlags.endHeaders);
    this.#onFrame({ type, flags, streamId: view.getUint32(5) & 0x7fff_ffff });
  }
}

/** Encodes a frame with a payload of at most 255 bytes. */
export function frameOf({ type, flags, streamId }: FrameHead, payload: readonly number[] = []) {
  const frame = new Uint8Array(headBytes + payload.length);
  frame.set([0, 0, payload.length, type, flags]);
  new DataView(frame.buffer).setUint32(5, streamId);
  frame.set(payload, headBytes);
  return frame;
}
