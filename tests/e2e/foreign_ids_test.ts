import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../lib/canonical/mod.ts";
import { objectOf, objectsOf } from "../../lib/formats/wire_value.ts";
import { chatAnswer } from "../formats/whole_answer.ts";
import { until } from "../waiting.ts";
import { type FakeUpstream, startUpstream } from "./fake_upstream.ts";
import { startGateway, type TestGateway } from "./gateway.ts";
import { makeWallet, walletKey } from "./money/wallet.ts";

/**
 * Ids of another account, in bodies, paths, cursors and lists. Of other gateways, they opened files,
 * lists and histories of other tenants (https://github.com/BerriAI/litellm/issues/35530,
 * https://github.com/BerriAI/litellm/issues/36087, https://github.com/BerriAI/litellm/pull/39559).
 * There are no sockets of the responses format here.
 */

interface Scene {
  readonly gateway: TestGateway;
  readonly upstream: FakeUpstream;
  readonly ask: (key: string, method: string, path: string, body?: JsonObject) => Promise<Told>;
}

interface Told {
  readonly status: number;
  readonly text: string;
  readonly body: JsonObject;
}

async function withScene(run: (scene: Scene) => Promise<void>): Promise<void> {
  await using upstream = startUpstream(() =>
    Response.json(chatAnswer({ content: "secret answer" }))
  );
  await using gateway = await startGateway({
    upstreams: [{
      id: "up",
      endpoints: { "chat-completions": `${upstream.base}/v1` },
      apiKeys: ["x"],
      models: ["m"],
    }],
    models: [{ id: "m", price: { input: 1, output: 1 } }],
  });
  await makeWallet(gateway.parts.store, 1_000_000_000n);
  const ask: Scene["ask"] = async (key, method, path, body) => {
    const response = await fetch(gateway.base + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: text.startsWith("{") ? JSON.parse(text) : {} };
  };
  await run({ gateway, upstream, ask });
}

/** An account's belongings: a stored response, a background one, a conversation with items. */
async function belongings({ gateway: { key }, ask }: Scene) {
  const input = "my secret";
  const stored = await ask(key, "POST", "/v1/responses", { model: "m", input });
  const queued = await ask(key, "POST", "/v1/responses", { model: "m", input, background: true });
  const items = ["one", "two", "three"].map((text) => ({
    role: "user",
    content: `secret ${text}`,
  }));
  const conversation = await ask(key, "POST", "/v1/conversations", { items });
  const idOf = ({ body }: Told) => String(body.id);
  const path = `/v1/responses/${idOf(queued)}`;
  await until(async () => (await ask(key, "GET", path)).body.status === "completed");
  const listed = await ask(key, "GET", `/v1/conversations/${idOf(conversation)}/items`);
  const given = await ask(key, "GET", `/v1/responses/${idOf(stored)}/input_items`);
  return {
    response: idOf(stored),
    background: idOf(queued),
    conversation: idOf(conversation),
    item: String(objectsOf(listed.body.data)[1].id),
    inputItem: String(objectsOf(given.body.data)[0].id),
    outputItem: String(objectsOf(stored.body.output)[0].id),
  };
}

const codeOf = ({ body }: Told) => objectOf(body.error).code;

Deno.test("ids of another account are as unknown as ids of nobody", () =>
  withScene(async (scene) => {
    const { ask, upstream } = scene;
    const theirs = await belongings(scene);
    const sentBefore = upstream.seen.length;
    const nobodys = {
      response: "resp_0000000000",
      background: "resp_0000000001",
      conversation: "conv_0000000000",
      item: "msg_0000000000",
      inputItem: "msg_0000000001",
      outputItem: "msg_0000000002",
    };
    type Ids = typeof nobodys;
    const attempts: readonly ((ids: Ids) => readonly [string, string, JsonObject?])[] = [
      ({ response }) => ["GET", `/v1/responses/${response}`],
      ({ background }) => ["GET", `/v1/responses/${background}?stream=true`],
      ({ background }) => ["GET", `/v1/responses/${background}?stream=true&starting_after=0`],
      ({ background }) => ["POST", `/v1/responses/${background}/cancel`, {}],
      ({ response }) => ["DELETE", `/v1/responses/${response}`],
      ({ response }) => ["GET", `/v1/responses/${response}/input_items`],
      ({ response, inputItem }) => [
        "GET",
        `/v1/responses/${response}/input_items?after=${inputItem}`,
      ],
      ({ conversation }) => ["GET", `/v1/conversations/${conversation}`],
      ({ conversation }) => ["DELETE", `/v1/conversations/${conversation}`],
      ({ conversation }) => ["POST", `/v1/conversations/${conversation}`, { metadata: {} }],
      ({ conversation }) => ["GET", `/v1/conversations/${conversation}/items`],
      ({ conversation, item }) => ["GET", `/v1/conversations/${conversation}/items?after=${item}`],
      ({ conversation, item }) => ["GET", `/v1/conversations/${conversation}/items/${item}`],
      ({ conversation, item }) => ["DELETE", `/v1/conversations/${conversation}/items/${item}`],
      ({ conversation }) => [
        "POST",
        `/v1/conversations/${conversation}/items`,
        { items: [{ role: "user", content: "x" }] },
      ],
      ({ response }) => [
        "POST",
        "/v1/responses",
        { model: "m", input: "x", previous_response_id: response },
      ],
      ({ background }) => [
        "POST",
        "/v1/responses",
        { model: "m", input: "x", previous_response_id: background, stream: true },
      ],
      ({ conversation }) => ["POST", "/v1/responses", { model: "m", input: "x", conversation }],
      ({ conversation }) => [
        "POST",
        "/v1/responses",
        { model: "m", input: "x", conversation: { id: conversation }, background: true },
      ],
      ...(["item", "inputItem", "outputItem"] as const).map((name) => (ids: Ids) =>
        [
          "POST",
          "/v1/responses",
          { model: "m", input: [{ type: "item_reference", id: ids[name] }] },
        ] as const
      ),
    ];
    for (const attempt of attempts) {
      const [method, path, body] = attempt(theirs);
      const told = await ask(walletKey, method, path, body);
      const [, nobodysPath, nobodysBody] = attempt(nobodys);
      const unknown = await ask(walletKey, method, nobodysPath, nobodysBody);
      const where = `${method} ${path} ${JSON.stringify(body ?? null)} ${told.text}`;
      assert(told.status >= 400 && told.status < 500, where);
      assertEquals([told.status, codeOf(told)], [unknown.status, codeOf(unknown)], where);
      assert(!told.text.includes("secret"), where);
    }
    assertEquals(upstream.seen.length, sentBefore, "nothing went to the upstream");
    for (const path of [`responses/${theirs.response}`, `conversations/${theirs.conversation}`]) {
      assertEquals((await ask(scene.gateway.key, "GET", `/v1/${path}`)).status, 200, path);
    }
  }));

Deno.test("cursors of another account and of another list show nothing of them", () =>
  withScene(async (scene) => {
    const { ask, gateway } = scene;
    const theirs = await belongings(scene);
    const made = await ask(walletKey, "POST", "/v1/conversations", {
      items: ["a", "b", "c"].map((content) => ({ role: "user", content })),
    });
    const own = `/v1/conversations/${made.body.id}/items`;
    const ownItems = objectsOf((await ask(walletKey, "GET", own)).body.data).map(({ id }) => id);
    for (const cursor of [theirs.item, theirs.inputItem, theirs.outputItem, theirs.response]) {
      for (const name of ["after", "before"]) {
        for (const order of ["asc", "desc"]) {
          const told = await ask(walletKey, "GET", `${own}?${name}=${cursor}&order=${order}`);
          const where = `${name}=${cursor}: ${told.text}`;
          assert(!told.text.includes("secret"), where);
          const { data, first_id, last_id } = told.body;
          if (told.status === 200) {
            for (const { id } of objectsOf(data)) assert(ownItems.includes(id), where);
            for (const id of [first_id, last_id]) assert(!id || ownItems.includes(id), where);
          } else assertEquals([told.status, codeOf(told)], [404, "item_not_found"], where);
        }
      }
    }
    const theirOwn = await ask(
      gateway.key,
      "GET",
      `/v1/conversations/${theirs.conversation}/items?after=${String(ownItems[0])}`,
    );
    assert(!ownItems.some((id) => theirOwn.text.includes(`"${id}"`) && theirOwn.status === 200));
  }));

/**
 * Addresses at which vendors list, read and delete what their whole account holds. The upstream's
 * credential is everybody's here, so none of them is passed on.
 */
const vendorHeld: readonly string[] = [
  "/v1/files",
  "/v1/files/file-1",
  "/v1/files/file-1/content",
  "/v1/uploads",
  "/v1/batches",
  "/v1/batches/batch_1",
  "/v1/batches/batch_1/cancel",
  "/v1/messages/batches",
  "/v1/messages/batches/msgbatch_1/results",
  "/v1/vector_stores",
  "/v1/vector_stores/vs_1/files",
  "/v1/vector_stores/vs_1/search",
  "/v1/containers",
  "/v1/containers/cntr_1/files",
  "/v1/assistants",
  "/v1/threads/thread_1/messages",
  "/v1/fine_tuning/jobs",
  "/v1/chat/completions/chatcmpl_1",
  "/v1beta/files",
  "/v1beta/files/abc",
  "/upload/v1beta/files",
  "/v1beta/cachedContents",
  "/v1beta/cachedContents/abc",
  "/v1beta/batches",
];

for (const path of vendorHeld) {
  Deno.test(`an address of a vendor's whole account is not passed on: ${path}`, () =>
    withScene(async ({ ask, gateway, upstream }) => {
      for (const method of ["GET", "POST", "DELETE"]) {
        const told = await ask(gateway.key, method, path, method === "POST" ? {} : undefined);
        assert([404, 405].includes(told.status), `${method} ${told.status} ${told.text}`);
        assertStringIncludes(told.text, '"error"');
      }
      assertEquals(upstream.seen, []);
    }));
}
