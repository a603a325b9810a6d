import { assert, assertEquals } from "@std/assert";
import { issueAdminToken } from "../../../lib/accounts/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { administrator } from "../../console/people.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { startServer } from "../server_process.ts";

/** Enough connections that each of two isolates gets some. */
const repetitions = 24;

Deno.test("management: two isolates carry out a repeated request once, and one of two changes", async () => {
  const folder = await Deno.makeTempDir();
  const secret = await prepare(`${folder}/tessera.db`);
  const server = await startServer(folder, { isolates: 2 });
  try {
    const ask = (method: string, path: string, sent: Omit<Sent, "method"> = {}) =>
      send(`${server.base}/api/v1${path}`, { method, ...sent }, secret);
    const body = JSON.stringify({ name: "ci" });
    const headers = { "idempotency-key": "one" };
    const answers = await Promise.all(
      Array.from({ length: repetitions }, () => ask("POST", "/keys", { body, headers })),
    );
    const ids = new Set(answers.filter(({ status }) => status === 201).map((one) => one.body.id));
    assertEquals(ids.size, 1);
    for (const { status, body } of answers) {
      assert(status === 201 || body.error.code === "request_in_progress", JSON.stringify(body));
    }
    const [id] = ids;
    const { etag } = await ask("GET", `/keys/${id}`);
    const changes = await Promise.all(
      Array.from({ length: repetitions }, (_, n) =>
        ask("PATCH", `/keys/${id}`, {
          body: JSON.stringify({ name: `ci-${n}` }),
          headers: { "if-match": etag },
        })),
    );
    const statuses = changes.map(({ status }) => status).sort();
    assertEquals(statuses, [200, ...Array(repetitions - 1).fill(412)]);
  } finally {
    await server.stop();
    await removeFolder(folder);
  }
});

async function prepare(path: string): Promise<string> {
  const store = await openStore({ location: { type: "file", path } });
  await createUser(store, administrator);
  const draft = { name: "test", userId: administrator.id, scopes: ["*"] };
  const { secret } = await issueAdminToken(store, draft, { nowMs: Date.now() });
  store.close();
  return secret;
}

interface Sent {
  readonly method: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request on a connection of its own. */
async function send(url: string, { method, body, headers = {} }: Sent, secret: string) {
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const init: RequestInit & { client: Deno.HttpClient } = {
    client,
    method,
    headers: { ...headers, authorization: `Bearer ${secret}` },
    ...(body !== undefined && { body }),
  };
  const response = await fetch(url, init);
  const { status, headers: received } = response;
  return { status, etag: received.get("etag") ?? "", body: await response.json() };
}
