import { assert, assertEquals } from "@std/assert";
import type { FormatName } from "../../../lib/canonical/mod.ts";
import type { Cloud } from "../../../lib/store/catalog/mod.ts";
import { ask, plainRequest } from "../conversion/format_pair.ts";
import { startUpstream } from "../fake_upstream.ts";
import { startGateway } from "../gateway.ts";

/** Names of models that would leave their segment of an address. */
const names = [
  "..",
  ".",
  "../..",
  "../../../x",
  "a/../../../x",
  "%2e%2e",
  "..%2f..%2fx",
  "a?x=1",
  "a#b",
  "@evil.example",
  "//evil.example/",
  "\\\\evil.example\\",
  "a\r\nx-evil: 1",
  "a\0b",
  "\ud800",
  ";:=",
  "x".repeat(10_000),
];

interface Way {
  readonly cloud: Cloud;
  readonly format: FormatName;
  /** Every path of a call. */
  readonly path: RegExp;
}

const segment = "[^/?#]+";
const ways: readonly Way[] = [
  {
    cloud: { surface: "bedrock-invoke", region: "us-east-1" },
    format: "messages",
    path: new RegExp(`^/model/${segment}/(invoke|count-tokens)$`),
  },
  {
    cloud: { surface: "vertex", project: "p1" },
    format: "generate-content",
    path: new RegExp(
      `^/v1(beta1)?/projects/p1/locations/global/(endpoints/openapi/chat/completions|publishers/(google|anthropic)/models/${segment}:[a-zA-Z]+)$`,
    ),
  },
  {
    cloud: { surface: "azure-openai", apiVersion: "2024-10-21" },
    format: "chat-completions",
    path: new RegExp(`^/openai/deployments/${segment}/chat/completions\\?api-version=2024-10-21$`),
  },
];

const refusal = () => Response.json({ error: { message: "No" } }, { status: 400 });

for (const { cloud, format, path } of ways) {
  Deno.test(`no name of a model leaves its segment of the address of ${cloud.surface} in ${format}`, async () => {
    await using upstream = startUpstream(() => refusal());
    await using gateway = await startGateway({
      upstreams: [{ id: "up", cloud, baseUrl: upstream.base, apiKeys: ["key"], models: ["*"] }],
    });
    for (const model of names) {
      for (const asked of ["messages", format] as const) {
        if (asked === "generate-content" && !model.isWellFormed()) continue; // no URL can say it
        const answer = await ask(gateway, asked, { ...plainRequest, model });
        const text = await answer.text();
        assert(!text.includes("internal_error"), `${JSON.stringify(model.slice(0, 20))}: ${text}`);
      }
      const counted = await fetch(`${gateway.base}/v1/messages/count_tokens`, {
        method: "POST",
        headers: { "x-api-key": gateway.key, "content-type": "application/json" },
        body: JSON.stringify({ model, messages: [{ role: "user", content: "Hi" }] }),
      });
      assert(!(await counted.text()).includes("internal_error"), JSON.stringify(model));
    }
    const outside = upstream.seen.map((seen) => seen.path).filter((one) => !path.test(one));
    assert(upstream.seen.length > 0);
    assertEquals(outside, []);
    assertEquals(upstream.seen.filter(({ headers }) => headers.has("x-evil")).length, 0);
  });
}
