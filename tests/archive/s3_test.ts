import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { AwsV4Signer } from "aws4fetch";
import { ArchiveError, openPlace } from "../../lib/archive/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { archive, callAt, logged, newestFirst } from "./archived_store.ts";
import { bucketSettings, startS3 } from "./s3_server.ts";

/** Runs a test against a server with the API of S3. It checks access keys, but no signatures. */
function testS3(
  name: string,
  run: (server: Awaited<ReturnType<typeof startS3>>) => Promise<void>,
): void {
  Deno.test({
    name: `S3: ${name}`,
    // The server keeps timers and sockets of its own.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      await using server = await startS3();
      await run(server);
    },
  });
}

testS3(
  "calls move to a bucket and are read from it",
  ({ endpoint, objects }) =>
    withMemoryStore(async (store) => {
      const rows = Array.from({ length: 50 }, (_, n) => callAt(n, n / 10));
      await leaveRows(store, rows);
      const place = openPlace({ type: "s3", ...bucketSettings, endpoint, prefix: "log of/é+1/" });
      const run = await archive(store, place, { partRowsMax: 5 });
      assert(run && run.rows > 25);
      const names = await objects();
      assertEquals(names.length, run.files);
      assert(names.every((name) => name.startsWith("log of/é+1/2026/11/")), `${names}`);
      assertEquals(await logged(store, place), newestFirst(rows));
    }),
);

testS3(
  "a removed object is gone, and removing it again does nothing",
  async ({ endpoint, objects }) => {
    const place = openPlace({ type: "s3", ...bucketSettings, endpoint, prefix: "" });
    const bytes = new TextEncoder().encode("some bytes");
    const sha256 = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    await place.put("a/b", { bytes, sha256 });
    assertEquals(await place.get("a/b"), bytes);
    await place.remove("a/b");
    await place.remove("a/b");
    assertEquals(await objects(), []);
    const missing = await assertRejects(() => place.get("a/b"), ArchiveError);
    assertStringIncludes(missing.message, "404 NoSuchKey");
  },
);

testS3(
  "an unknown access key is refused, and the message holds no secret",
  async ({ endpoint }) => {
    const settings = { ...bucketSettings, accessKeyId: "other", endpoint, prefix: "" };
    const place = openPlace({ type: "s3", ...settings });
    const refused = await assertRejects(() => place.get("a"), ArchiveError);
    assertStringIncludes(refused.message, "403 InvalidAccessKeyId");
    assert(!refused.message.includes(settings.secretAccessKey));
  },
);

Deno.test("S3: a file is put with its length and its digest, which the signature covers", async () => {
  const asked: { readonly headers: Headers; readonly path: string; readonly body: string }[] = [];
  const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
  const server = Deno.serve(options, async (request) => {
    const { headers, url } = request;
    asked.push({ headers, path: new URL(url).pathname, body: await request.text() });
    return new Response();
  });
  const endpoint = `http://127.0.0.1:${server.addr.port}/storage`;
  const place = openPlace({ type: "s3", ...bucketSettings, endpoint, prefix: "log/" });
  await place.put("2026/a", { bytes: new TextEncoder().encode("0123456789"), sha256: "ab12" });
  await server.shutdown();
  const [{ headers, path, body }] = asked;
  assertEquals([path, body], ["/storage/tessera/log/2026/a", "0123456789"]);
  assertEquals(headers.get("content-length"), "10");
  assertEquals(headers.get("x-amz-content-sha256"), "ab12");
  const signed = "SignedHeaders=host;x-amz-content-sha256;x-amz-date";
  assertStringIncludes(headers.get("authorization") ?? "", signed);
});

Deno.test("S3: a server that is away, breaks off or redirects is an error that names the file", async () => {
  const answers: Record<string, () => Response> = {
    "500": () => new Response("<Error><Code>InternalError</Code></Error>", { status: 500 }),
    "redirect": () => Response.redirect("http://127.0.0.1:9/elsewhere", 307),
    "cut": () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.error(new Error("cut")),
        }),
      ),
  };
  let answer = answers["500"];
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen() {},
    onError: answers["500"],
  }, () => answer());
  const endpoint = `http://127.0.0.1:${server.addr.port}`;
  const place = openPlace({ type: "s3", ...bucketSettings, endpoint, prefix: "" });
  for (const one of Object.values(answers)) {
    answer = one;
    const failure = await assertRejects(() => place.get("2026/a"), ArchiveError);
    assertStringIncludes(failure.message, "Cannot read 2026/a in the log's archive: ");
  }
  await server.shutdown();
  await assertRejects(() => place.get("2026/a"), ArchiveError);
});

// The example "PUT Object" of AWS's documentation of Signature Version 4 for S3.
Deno.test("S3: a request is signed as in the published example", async () => {
  const signer = new AwsV4Signer({
    method: "PUT",
    url: "https://examplebucket.s3.amazonaws.com/test$file.text",
    headers: {
      "date": "Fri, 24 May 2013 00:00:00 GMT",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
      "x-amz-content-sha256": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
    },
    body: "Welcome to Amazon S3.",
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    ...{ service: "s3", region: "us-east-1", datetime: "20130524T000000Z" },
  });
  const { headers } = await signer.sign();
  assertStringIncludes(
    headers.get("authorization") ?? "",
    "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  );
});
