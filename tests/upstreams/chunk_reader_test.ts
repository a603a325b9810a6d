import { assert, assertEquals, assertRejects } from "@std/assert";
import { ChunkReader } from "../../lib/upstreams/send.ts";

/** A body that fills what it is given, as long as there is something, and notes how much it was given. */
function bodyOf(chunks: readonly number[], asked: number[] = []): ReadableStream<Uint8Array> {
  const waiting = [...chunks];
  return new ReadableStream({
    type: "bytes",
    pull: (controller) => {
      const { byobRequest } = controller;
      assert(byobRequest?.view);
      asked.push(byobRequest.view.byteLength);
      const length = waiting.shift();
      if (length === undefined) {
        controller.close();
        return byobRequest.respond(0);
      }
      new Uint8Array(byobRequest.view.buffer).fill(length % 251);
      byobRequest.respond(Math.min(length, byobRequest.view.byteLength));
    },
  });
}

Deno.test("ChunkReader hands on what comes, to the end", async () => {
  const reader = new ChunkReader(bodyOf([3, 1, 700]));
  const lengths: number[] = [];
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    assert(chunk.every((byte) => byte === chunk.length % 251));
    lengths.push(chunk.length);
  }
  assertEquals(lengths, [3, 1, 700]);
  assertEquals(await reader.read(), undefined);
});

Deno.test("ChunkReader waits with a small buffer, which grows while chunks fill it", async () => {
  const asked: number[] = [];
  const large = 1024 * 1024;
  const reader = new ChunkReader(bodyOf([large, large, large, large, 10, 10, 10, 10, 10], asked));
  while (await reader.read());
  const kibibytes = asked.map((bytes) => bytes / 1024);
  assertEquals(kibibytes, [4, 64, 64, 64, 64, 16, 4, 4, 4, 4]);
});

Deno.test("ChunkReader rejects as its body does", async () => {
  const body = new ReadableStream<Uint8Array>({
    type: "bytes",
    pull: () => Promise.reject(new TypeError("broken")),
  });
  await assertRejects(() => new ChunkReader(body).read(), TypeError, "broken");
});
