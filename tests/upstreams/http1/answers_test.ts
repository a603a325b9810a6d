import { assertEquals, assertRejects } from "@std/assert";
import { networkFaultOf } from "../../../lib/upstreams/network_fault.ts";
import { startClient, startRawPeer } from "./raw_peer.ts";

/** Each answer is written whole and byte by byte, read in one step and in chunks. */

const ok = "HTTP/1.1 200 OK\r\n";
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;

/** `isKept`: another request may follow on the connection. */
const valid: readonly {
  readonly name: string;
  readonly answer: string;
  readonly status?: number;
  readonly text: string;
  readonly isKept: boolean;
}[] = [
  { name: "a length", answer: `${ok}content-length: 5\r\n\r\nhello`, text: "hello", isKept: true },
  { name: "no body", answer: `${ok}Content-Length: 0\r\n\r\n`, text: "", isKept: true },
  {
    name: "chunks",
    answer: `${chunked}5\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\n\r\n`,
    text: "hello world",
    isKept: true,
  },
  {
    name: "chunks with extensions, white space and capital digits",
    answer: `${chunked}00B;a=b;c="d"\r\nhello world\r\n1 \t;x\r\n!\r\n0;last\r\n\r\n`,
    text: "hello world!",
    isKept: true,
  },
  {
    name: "trailers",
    answer: `${chunked}2\r\nhi\r\n0\r\nx-sum: 1\r\nX-More:\r\n\r\n`,
    text: "hi",
    isKept: true,
  },
  { name: "no chunk", answer: `${chunked}0\r\n\r\n`, text: "", isKept: true },
  { name: "the connection's end", answer: `${ok}\r\nhello`, text: "hello", isKept: false },
  {
    name: "connection: close",
    answer: `${ok}connection: Foo, Close\r\ncontent-length: 2\r\n\r\nhi`,
    text: "hi",
    isKept: false,
  },
  {
    name: "HTTP/1.0",
    answer: "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi",
    text: "hi",
    isKept: false,
  },
  {
    name: "HTTP/1.0 with keep-alive",
    answer: "HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nhi",
    text: "hi",
    isKept: true,
  },
  {
    name: "interim responses",
    answer:
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok}content-length: 2\r\n\r\nhi`,
    text: "hi",
    isKept: true,
  },
  {
    name: "204 with a length",
    answer: "HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n",
    status: 204,
    text: "",
    isKept: true,
  },
  {
    name: "304 in chunks",
    answer: "HTTP/1.1 304 Not Modified\r\ntransfer-encoding: chunked\r\n\r\n",
    status: 304,
    text: "",
    isKept: true,
  },
  {
    name: "no reason, a refusal",
    answer: "HTTP/1.1 429\r\ncontent-length: 2\r\n\r\nhi",
    status: 429,
    text: "hi",
    isKept: true,
  },
  {
    name: "more than it declares",
    answer: `${ok}content-length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`,
    text: "hi",
    isKept: false,
  },
  {
    name: "more than its last chunk",
    answer: `${chunked}2\r\nhi\r\n0\r\n\r\nX`,
    text: "hi",
    isKept: false,
  },
];

const manners = [
  { manner: "whole", step: 1_000_000 },
  { manner: "byte by byte", step: 1 },
] as const;

for (const { name, answer, status = 200, text, isKept } of valid) {
  for (const { manner, step } of manners) {
    Deno.test(`http1: an answer with ${name}, ${manner}`, async () => {
      await using peer = startRawPeer(async (peer) => {
        while (await peer.readRequest()) {
          for (let at = 0; at < answer.length; at += step) {
            await peer.write(answer.slice(at, at + step));
          }
          if (!isKept) return;
        }
      });
      using client = startClient();
      for (let count = 0; count < 3; count++) {
        const got = await client.call(peer.url);
        assertEquals(got.status, status);
        const bytes = count === 0 ? await got.readRest() : await inChunks(got);
        assertEquals(new TextDecoder().decode(bytes), text);
        await new Promise((resolve) => setTimeout(resolve, 2)); // rubbish arrives
      }
      assertEquals(peer.count(), isKept ? 1 : 3);
    });
  }
}

async function inChunks(answer: { read(): Promise<Uint8Array | undefined> }): Promise<Uint8Array> {
  const all: number[] = [];
  for (let chunk = await answer.read(); chunk; chunk = await answer.read()) all.push(...chunk);
  assertEquals(await answer.read(), undefined);
  return Uint8Array.from(all);
}

const invalid: readonly (readonly [name: string, answer: string, fault: string])[] = [
  [
    "both framings",
    `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`,
    "not-http",
  ],
  ["two lengths", `${ok}content-length: 2\r\ncontent-length: 3\r\n\r\nhi!`, "not-http"],
  ["a list of lengths", `${ok}content-length: 2, 2\r\n\r\nhi`, "not-http"],
  ["a signed length", `${ok}content-length: +2\r\n\r\nhi`, "not-http"],
  ["an empty length", `${ok}content-length:\r\n\r\nhi`, "not-http"],
  ["an enormous length", `${ok}content-length: ${"9".repeat(16)}\r\n\r\nhi`, "not-http"],
  ["another coding", `${ok}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, "not-http"],
  [
    "chunked twice",
    `${chunked.slice(0, -2)}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    "not-http",
  ],
  ["chunks of HTTP/1.0", `HTTP/1.0${chunked.slice(8)}0\r\n\r\n`, "not-http"],
  ["a folded field", `${ok}x-a: 1\r\n  2\r\ncontent-length: 2\r\n\r\nhi`, "not-http"],
  ["space before a colon", `${ok}content-length : 2\r\n\r\nhi`, "not-http"],
  ["a field without a name", `${ok}: 2\r\ncontent-length: 2\r\n\r\nhi`, "not-http"],
  ["a field without a colon", `${ok}x\r\ncontent-length: 2\r\n\r\nhi`, "not-http"],
  ["a bare LF", `${ok}x: 1\ncontent-length: 2\r\n\r\nhi`, "not-http"],
  ["a bare CR", `${ok}x: 1\rx-b: 2\r\ncontent-length: 2\r\n\r\nhi`, "not-http"],
  ["a NUL", `${ok}x: \0\r\ncontent-length: 2\r\n\r\nhi`, "not-http"],
  ["HTTP/2", "HTTP/2 200\r\ncontent-length: 2\r\n\r\nhi", "not-http"],
  ["HTTP/1.2", "HTTP/1.2 200\r\ncontent-length: 2\r\n\r\nhi", "not-http"],
  ["an old protocol", "HTTP/0.9 200 OK\r\n\r\nhi", "not-http"],
  ["a status of two digits", "HTTP/1.1 20 OK\r\ncontent-length: 2\r\n\r\nhi", "not-http"],
  ["a status below 100", "HTTP/1.1 099 OK\r\ncontent-length: 2\r\n\r\nhi", "not-http"],
  ["a change of protocol", "HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n", "not-http"],
  ["an empty line first", `\r\n${ok}content-length: 2\r\n\r\nhi`, "not-http"],
  ["another protocol", "SSH-2.0-OpenSSH_9.9\r\n", "not-http"],
  ["a long field", `${ok}x-a: ${"a".repeat(65_536)}\r\n\r\nhi`, "headers"],
  ["many fields", `${ok}${"x-a: 1\r\n".repeat(101)}\r\nhi`, "headers"],
  ["interim responses without end", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(3_000), "headers"],
  ["nothing", "", "closed"],
  ["half a head", `${ok}content-len`, "closed"],
];

for (const [name, answer, fault] of invalid) {
  Deno.test(`http1: an answer with ${name} is refused`, async () => {
    await using peer = startRawPeer(async (peer) => {
      await peer.readRequest();
      await peer.write(answer);
      if (fault !== "closed") await peer.left(); // the client must not wait for the end
    });
    using client = startClient();
    const error = await assertRejects(() => client.call(peer.url));
    assertEquals(networkFaultOf(error), fault);
    assertEquals(peer.count(), 1); // not sent again
  });
}

const broken: readonly (readonly [name: string, body: string])[] = [
  ["a cut chunk", "5\r\nhel"],
  ["no last chunk", "5\r\nhello\r\n"],
  ["no end of the trailers", "5\r\nhello\r\n0\r\nx: 1\r\n"],
  ["a size that is no number", "5\r\nhello\r\nxyz\r\n"],
  ["a negative size", "5\r\nhello\r\n-1\r\n"],
  ["no size", "5\r\nhello\r\n\r\n"],
  ["no size but an extension", "5\r\nhello\r\n;a\r\n"],
  ["two sizes", "5\r\nhello\r\n1 1\r\n"],
  ["a size with 0x", "5\r\nhello\r\n0x1\r\na"],
  ["an enormous size", `5\r\nhello\r\n${"f".repeat(13)}\r\n`],
  ["a bare LF behind the size", "5\r\nhello\r\n1\na\r\n"],
  ["a bare LF behind the chunk", "5\r\nhello\n1\r\na\r\n"],
  ["a chunk longer than its size", "5\r\nhello!\r\n"],
  ["an LF in an extension", "5\r\nhello\r\n1;a\nb\r\n"],
  ["an endless extension", `5\r\nhello\r\n1;${"a".repeat(2_000)}`],
  ["an endless size line", `5\r\nhello\r\n1${" ".repeat(2_000)}`],
  ["endless trailers", `5\r\nhello\r\n0\r\n${"x: 1\r\n".repeat(4_000)}`],
  ["an invalid trailer", "5\r\nhello\r\n0\r\nx 1\r\n\r\n"],
  ["a folded trailer", "5\r\nhello\r\n0\r\nx: 1\r\n 2\r\n\r\n"],
];

for (const [name, body] of broken) {
  Deno.test(`http1: a body with ${name} fails after what came before`, async () => {
    await using peer = startRawPeer(async (peer) => {
      await peer.readRequest();
      await peer.write(`${chunked}5\r\nfirst\r\n`);
      await new Promise((resolve) => setTimeout(resolve, 2));
      await peer.write(body);
    });
    using client = startClient();
    const answer = await client.call(peer.url);
    assertEquals(new TextDecoder().decode(await answer.read()), "first");
    await assertRejects(() => inChunks(answer));
    await assertRejects(() => answer.read()); // and stays failed
  });
}

Deno.test("http1: a body shorter than its length fails", async () => {
  await using peer = startRawPeer(async (peer) => {
    await peer.readRequest();
    await peer.write(`${ok}content-length: 10\r\n\r\nhello`);
  });
  using client = startClient();
  const error = await assertRejects(async () => await (await client.call(peer.url)).readRest());
  assertEquals(networkFaultOf(error), "closed");
});

Deno.test("http1: repeated fields are joined, values are bytes, white space is trimmed", async () => {
  const head = `${ok}X-A: 1\r\nx-a:\t2 \r\nx-b: caf\xe9\r\nx-c:\r\ncontent-length: 0\r\n\r\n`;
  await using peer = startRawPeer(async (peer) => {
    await peer.readRequest();
    await peer.write(Uint8Array.from(head, (character) => character.charCodeAt(0)));
  });
  using client = startClient();
  const { headers } = await client.call(peer.url);
  const values = ["x-a", "X-B", "x-c", "x-d"].map((name) => headers.get(name));
  assertEquals(values, ["1, 2", "café", "", null]);
  assertEquals([headers.has("X-A"), headers.has("x-d")], [true, false]);
  assertEquals(Object.fromEntries(headers)["x-a"], "1, 2");
});
