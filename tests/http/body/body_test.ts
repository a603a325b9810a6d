import { assertEquals } from "@std/assert";
import { readByteBody } from "../../../lib/http/body/body.ts";

const limits = { bodyBytesMax: 1024 * 1024, bodyTimeoutMs: 1_000 };

/** A request that counts how often its body is made a stream. */
class CountedRequest extends Request {
  streams = 0;

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    this.streams++;
    return super.body;
  }
}

function posted(text: string, headers: Record<string, string> = {}): CountedRequest {
  const length = { "content-length": `${new TextEncoder().encode(text).length}` };
  const init = { method: "POST", body: text, headers: { ...length, ...headers } };
  return new CountedRequest("http://127.0.0.1/", init);
}

const sizes = [1, 20 * 1024, 256 * 1024];

for (const size of sizes) {
  Deno.test(`readByteBody reads a declared body of ${size} bytes without making a stream of it`, async () => {
    const request = posted("x".repeat(size));
    assertEquals((await readByteBody(request, limits)).length, size);
    assertEquals(request.streams, 0);
  });
}

Deno.test("readByteBody reads a body without a declared length, and a request without a body", async () => {
  const undeclared = posted("text", { "content-length": "" });
  assertEquals(new TextDecoder().decode(await readByteBody(undeclared, limits)), "text");
  const empty = new Request("http://127.0.0.1/", { method: "POST" });
  assertEquals((await readByteBody(empty, limits)).length, 0);
  const declaredEmpty = new Request("http://127.0.0.1/", {
    method: "POST",
    headers: { "content-length": "4" },
  });
  assertEquals((await readByteBody(declaredEmpty, limits)).length, 0);
});
