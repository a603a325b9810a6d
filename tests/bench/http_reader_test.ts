import { assertEquals } from "@std/assert";
import { HttpReader } from "../../bench/processes/http_reader.ts";

const whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde";
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" +
  "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";
const empty = "HTTP/1.1 204 No Content\r\n\r\n";

for (const partBytes of [1, 2, 7, 1_000]) {
  Deno.test(`HttpReader reads messages that arrive in parts of ${partBytes} bytes`, async () => {
    const reader = new HttpReader(arriving(whole + chunked + empty + whole, partBytes));
    const endings = [];
    for (let next = await reader.next(); next; next = await reader.next()) {
      endings.push(next.ending);
    }
    assertEquals(endings, ["abcde", "abcde", "", "abcde"]);
  });
}

Deno.test("HttpReader reports the first byte of the body once", async () => {
  const reader = new HttpReader(arriving(chunked, 1));
  let count = 0;
  await reader.next(() => count++);
  assertEquals(count, 1);
});

for (const message of [whole, chunked]) {
  Deno.test(`HttpReader returns nothing for a cut message of ${message.length} bytes`, async () => {
    for (let length = 1; length < message.length; length++) {
      const reader = new HttpReader(arriving(message.slice(0, length), 1_000));
      assertEquals(await reader.next(), undefined, `${length}`);
    }
  });
}

Deno.test("HttpReader keeps the end of a long body and reads on behind it", async () => {
  const body = "x".repeat(200_000) + "end";
  const long = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const reader = new HttpReader(arriving(long + whole, 60_000));
  assertEquals((await reader.next())?.ending, body.slice(-1_024));
  assertEquals((await reader.next())?.ending, "abcde");
});

function arriving(text: string, partBytes: number): Pick<Deno.Conn, "read"> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return {
    read(into) {
      const part = bytes.subarray(at, at + Math.min(partBytes, into.length));
      into.set(part);
      at += part.length;
      return Promise.resolve(part.length || null);
    },
  };
}
