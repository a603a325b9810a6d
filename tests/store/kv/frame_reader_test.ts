import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { frameOf, FrameReader } from "../../../lib/store/kv/frame_reader.ts";

/** HEADERS, PUSH_PROMISE and CONTINUATION. */
const fieldBlockTypes = [1, 5, 9];
const endHeaders = 4;

const head = fc.record({
  type: fc.oneof(fc.constantFrom(...fieldBlockTypes), fc.integer({ min: 0, max: 255 })),
  flags: fc.integer({ min: 0, max: 255 }),
  streamId: fc.integer({ min: 0, max: 0x7fff_ffff }),
});
const frame = fc.record({ head, payload: fc.array(fc.integer({ min: 0, max: 255 })) });

Deno.test("frames are found wherever the stream is cut, and none may be inserted into a field block", () => {
  fc.assert(fc.property(
    fc.array(frame, { minLength: 1 }),
    fc.nat(30),
    fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
    (frames, skip, cuts) => {
      const parts = frames.map(({ head, payload }) => frameOf(head, payload));
      const ends = new Set<number>();
      let end = skip;
      let isInFieldBlock = false;
      for (const [at, { head: { type, flags } }] of frames.entries()) {
        end += parts[at].length;
        if (fieldBlockTypes.includes(type)) isInFieldBlock = !(flags & endHeaders);
        if (!isInFieldBlock) ends.add(end);
      }
      const bytes = new Uint8Array([
        ...new Uint8Array(skip),
        ...parts.flatMap((part) => [...part]),
      ]);
      const heads: unknown[] = [];
      const reader = new FrameReader(skip, (found) => heads.push(found));
      for (let at = 0, cut = 0; at < bytes.length; cut++) {
        const next = Math.min(at + cuts[cut % cuts.length], bytes.length);
        reader.read(bytes.subarray(at, next));
        at = next;
        assertEquals(reader.isBetweenFrames, ends.has(at));
      }
      assertEquals(heads, frames.map(({ head }) => head));
    },
  ));
});
