import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { frameOf, FrameReader } from "../../../lib/store/kv/frame_reader.ts";

const head = fc.record({
  type: fc.integer({ min: 0, max: 255 }),
  flags: fc.integer({ min: 0, max: 255 }),
  streamId: fc.integer({ min: 0, max: 0x7fff_ffff }),
});
const frame = fc.record({ head, payload: fc.array(fc.integer({ min: 0, max: 255 })) });

Deno.test("frames are found wherever the stream is cut", () => {
  fc.assert(fc.property(
    fc.array(frame, { minLength: 1 }),
    fc.nat(30),
    fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
    (frames, skip, cuts) => {
      const parts = frames.map(({ head, payload }) => frameOf(head, payload));
      const ends = new Set<number>();
      let end = skip;
      for (const { length } of parts) ends.add(end += length);
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
