import { assert, assertEquals } from "@std/assert";
import { issueApiKey, startSession } from "../../../lib/accounts/mod.ts";
import type { CheckView } from "../../../lib/console/connect/findings.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { administrator } from "../../console/people.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { startServer } from "../server_process.ts";

/** Enough connections that each of two isolates gets some, but for one chance in a hundred thousand. */
const callsMade = 18;

Deno.test("connection check: a page in one isolate sees arrivals in every isolate", async () => {
  const folder = await Deno.makeTempDir();
  const { token, keyId, secret } = await prepared(`${folder}/tessera.db`);
  const server = await startServer(folder, { isolates: 2 });
  try {
    const events = await listen(
      `${server.base}/console/connect/events?key=${keyId}&since=1`,
      token,
    );
    await events.until(() => true); // the check is open; the other isolate may hear of it a moment later
    for (let n = 0; n < 4; n++) await call(`${server.base}/v1/nothing`, secret);
    await events.until(({ findings }) => findings.length > 0);
    for (let n = 0; n < callsMade; n++) {
      const path = n % 2 ? "/v1/chat/completions" : "/v1/v1/chat/completions";
      const id = await call(server.base + path, secret);
      const view = await events.until(({ findings }) => findings.some((one) => one.id === id));
      assertEquals(view.connected, n > 0);
    }
    await events.end();
  } finally {
    await server.stop();
    await removeFolder(folder);
  }
});

/** A store in which somebody is signed in and has a key. */
async function prepared(path: string) {
  const store = await openStore({ location: { type: "file", path } });
  await createUser(store, administrator);
  const { token } = await startSession(store, administrator, { nowMs: Date.now() });
  const draft = { accountId: "owner", name: "prod-api", groupId: "default", enabled: true };
  const { apiKey, secret } = await issueApiKey(store, draft, { nowMs: Date.now() });
  store.close();
  return { token, keyId: apiKey.id, secret };
}

/** Calls on a connection of its own, and says by which id. */
async function call(url: string, secret: string): Promise<string> {
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const response = await fetch(url, {
    client,
    method: "POST",
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({
      model: "tessera-echo",
      messages: [{ role: "user", content: "hello" }],
    }),
  });
  await response.text();
  return response.headers.get("x-request-id") ?? "";
}

async function listen(url: string, token: string) {
  const response = await fetch(url, { headers: { cookie: `tessera=${token}` } });
  assertEquals(response.status, 200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert(reader);
  let text = "";
  const next = async (): Promise<CheckView> => {
    for (;;) {
      const [event, ...rest] = text.split("\n\n");
      if (rest.length > 0) {
        text = rest.join("\n\n");
        if (event.startsWith("data: ")) return JSON.parse(event.slice("data: ".length));
        continue;
      }
      const { value, done } = await reader.read();
      assert(!done, "the stream ended early");
      text += value;
    }
  };
  return {
    until: async (holds: (view: CheckView) => boolean) => {
      for (;;) {
        const view = await next();
        if (holds(view)) return view;
      }
    },
    end: () => reader.cancel(),
  };
}
