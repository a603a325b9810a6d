import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  createUpstream,
  getModel,
  getUpstream,
  listModels,
} from "../../../lib/store/catalog/mod.ts";
import { type Seen, startUpstream } from "../../e2e/fake_upstream.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { administrator } from "../people.ts";
import { entries, list, sample, secret, withGateway } from "./upstream_scene.ts";

const answer = chatAnswer({ content: "OK" }, {
  usage: { prompt_tokens: 12, completion_tokens: 1, total_tokens: 13 },
});

/** Lists three models and answers for all but one. */
function vendor() {
  return startUpstream(({ path, body }: Seen) => {
    if (path.endsWith("/models")) {
      const data = [{ id: "gpt-5" }, { id: "house-1", context_length: 32_000 }, { id: "house-2" }];
      return Response.json({ data });
    }
    return body.includes('"broken"')
      ? Response.json({ error: { message: `broken for ${secret}` } }, { status: 503 })
      : Response.json(answer);
  });
}

testConsole(
  "upstreams: all models are tested, and each row tells how it answered",
  async (console) => {
    await using upstream = vendor();
    withGateway(console, true);
    const endpoints = { "chat-completions": `${upstream.base}/v1` };
    const models = [{ id: "gpt-5" }, { id: "fast", upstreamModel: "house-1" }, { id: "broken" }];
    await createUpstream(console.store, sample({ endpoints, models }));
    const browser = await console.signedIn(administrator);
    const path = `${list}/vendor/models`;
    assertStringIncludes(textOf((await browser.get(path)).html), "fast house-1");
    const tested = await browser.post(path, { all: "true" });
    const text = textOf(tested.html);
    assertStringIncludes(text, "2 of 3 succeeded.");
    assertStringIncludes(tested.html, `class="crumb" href="${path}"`);
    assertStringIncludes(text, "broken for …");
    assertStringIncludes(text, "fast Succeeded");
    assert(!tested.html.includes("<script") && !tested.html.includes(secret));
    const asked = upstream.seen.map(({ body }) => JSON.parse(body).model).toSorted();
    assertEquals(asked, ["broken", "gpt-5", "house-1"]);
    upstream.seen.length = 0;
    await browser.post(path, { model: "gpt-5" });
    assertEquals(upstream.seen.length, 1);
    assertRedirect(await browser.post(path, { model: "nobody" }), `${path}?none`);
    assertEquals(await entries(console.store), []);
  },
);

testConsole("upstreams: rows of a test come as models answer", async (console) => {
  const slow = Promise.withResolvers<void>();
  await using upstream = startUpstream(async ({ body }) => {
    if (body.includes("slow")) await slow.promise;
    return Response.json(answer);
  });
  withGateway(console, true);
  const endpoints = { "chat-completions": `${upstream.base}/v1` };
  await createUpstream(
    console.store,
    sample({ endpoints, models: [{ id: "slow" }, { id: "quick" }] }),
  );
  const browser = await console.signedIn(administrator);
  const response = await console.fetch(
    new Request(`http://localhost${list}/vendor/models`, {
      method: "POST",
      headers: {
        "sec-fetch-site": "same-origin",
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      },
      body: new URLSearchParams({ all: "true" }),
    }),
  );
  const seen = { text: "", isWaiting: true };
  const decoder = new TextDecoder();
  assert(response.body);
  for await (const chunk of response.body) {
    seen.text += decoder.decode(chunk, { stream: true });
    if (seen.isWaiting && seen.text.includes(">quick<")) {
      assert(!seen.text.includes(">slow<"));
      seen.isWaiting = false;
      slow.resolve();
    }
  }
  assert(!seen.isWaiting);
  assertStringIncludes(seen.text, "2 of 2 succeeded.");
});

testConsole(
  "upstreams: what is imported is compared, confirmed and done in one commit",
  async (console) => {
    await using upstream = vendor();
    const { store } = console;
    withGateway(console, true);
    const endpoints = { "chat-completions": `${upstream.base}/v1` };
    const models = [{ id: "gone-model" }, { id: "gpt-*" }];
    await createUpstream(store, sample({ endpoints, models }));
    const browser = await console.signedIn(administrator);
    const path = `${list}/vendor/import`;
    const compared = textOf((await browser.get(path)).html);
    assertStringIncludes(
      compared,
      "New: 2 · Already served: 0 · Covered by pattern: 1 · No longer offered: 1",
    );
    assertStringIncludes(compared, "Pattern matching 1 of them");
    const chosen: [string, string][] = [
      ["use", "0"],
      ["own.0", "house-1"],
      ["as.0", "fast"],
      ["context.0", "32000"],
      ["in.0", "1.50"],
      ["out.0", "3"],
      ["use", "1"],
      ["own.1", "house-2"],
      ["drop", "gone-model"],
    ];
    const review = await browser.post(path, chosen);
    assertStringIncludes(textOf(review.html), "Add 2 models and remove 1?");
    assertStringIncludes(textOf(review.html), "1 model has no price");
    assertEquals((await getUpstream(store, "vendor"))?.models, models);
    const done = await browser.post(path, [...chosen, ["confirm", "true"]]);
    assertRedirect(done, `${list}/vendor/models?done=imported`);
    assertEquals((await getUpstream(store, "vendor"))?.models, [
      { id: "gpt-*" },
      { id: "fast", upstreamModel: "house-1" },
      { id: "house-2" },
    ]);
    const record = await getModel(store, "fast");
    assertEquals([record?.price, record?.contextWindow], [{ input: 1.5, output: 3 }, 32_000]);
    assertEquals((await listModels(store)).map(({ id }) => id), ["fast"]);
    assertEquals(
      (await entries(store)).map(({ kind, targetName }) => `${kind} ${targetName}`).toSorted(),
      [
        "model fast",
        "upstream vendor",
      ],
    );
  },
);

for (
  const [name, fields, fault] of [
    ["nothing", [], "Select at least one model"],
    [
      "a name twice",
      [["use", "0"], ["own.0", "a"], ["use", "1"], ["own.1", "a"]],
      "must be unique",
    ],
    ["half a price", [["use", "0"], ["own.0", "a"], ["in.0", "1"]], "Enter both prices"],
  ] as const
) {
  testConsole(`upstreams: an import of ${name} is refused`, async (console) => {
    withGateway(console);
    await createUpstream(console.store, sample());
    const browser = await console.signedIn(administrator);
    const answer = await browser.post(`${list}/vendor/import`, [
      ...fields.map(([a, b]): [string, string] => [a, b]),
      [
        "confirm",
        "true",
      ],
    ]);
    assertEquals(answer.status, 422);
    assertStringIncludes(textOf(answer.html), fault);
    assertEquals(await getUpstream(console.store, "vendor"), sample());
  });
}

testConsole("upstreams: a list that cannot be read says why, without the key", async (console) => {
  await using upstream = startUpstream(() =>
    Response.json({ error: { message: `Bad key ${secret}` } }, { status: 500 })
  );
  withGateway(console, true);
  const endpoints = { "chat-completions": `${upstream.base}/v1` };
  await createUpstream(console.store, sample({ endpoints }));
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get(`${list}/vendor/import`);
  assertStringIncludes(textOf(html), "Could not load the upstream's model list");
  assert(!html.includes(secret));
});
