import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { movedEndpoints } from "../../../lib/admin/upstreams/upstream_cloud_form.ts";
import {
  chosenCloud,
  signInFields,
  surfaceForms,
} from "../../../lib/console/upstreams/cloud_form.ts";
import { createUpstream, getUpstream, type Surface } from "../../../lib/store/catalog/mod.ts";
import { surfaceEndpoints } from "../../../lib/upstreams/surfaces/mod.ts";
import { startUpstream } from "../../e2e/fake_upstream.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { administrator } from "../people.ts";
import { entries, list, sample, withGateway } from "./upstream_scene.ts";

const path = `${list}/new/cloud`;
const forms = Object.entries(surfaceForms) as [Surface, typeof surfaceForms[Surface]][]; // its own

testConsole(
  "clouds: the form asks for what each surface and way to sign in need",
  async (console) => {
    const browser = await console.signedIn(administrator);
    for (const [surface, { place, signIns }] of forms) {
      for (const signIn of signIns) {
        const { status, html } = await browser.get(`${path}?surface=${surface}&signIn=${signIn}`);
        assertEquals(status, 200);
        const shown = [...html.matchAll(/<(?:input|textarea)[^>]*? name="(\w+)"/g)]
          .map(([, name]) => name);
        for (const field of [...place, ...signInFields[signIn], "id", "models"]) {
          assert(shown.includes(field), `${surface} ${signIn}: ${field} among ${shown.join(" ")}`);
        }
      }
    }
  },
);

testConsole("clouds: access keys become a source, which no page shows", async (console) => {
  withGateway(console);
  const browser = await console.signedIn(administrator);
  const filled = {
    surface: "bedrock",
    signIn: "aws",
    id: "aws",
    region: "eu-central-1",
    baseUrl: "https://203.0.114.9",
    accessKeyId: "AKIASAMPLE",
    secretAccessKey: "secret-of-the-sample",
    roleArn: "arn:aws:iam::111122223333:role/gateway",
    intent: "draft",
  };
  assertRedirect(await browser.post(path, filled), `${list}/aws?done=draft`);
  const made = await getUpstream(console.store, "aws");
  assertEquals(made?.cloud, { surface: "bedrock", region: "eu-central-1" });
  assertEquals(made?.endpoints.messages, "https://203.0.114.9/anthropic");
  assertEquals(made?.credentials.map((one) => JSON.parse(one)), [{
    type: "aws",
    accessKeyId: "AKIASAMPLE",
    secretAccessKey: "secret-of-the-sample",
    roleArn: "arn:aws:iam::111122223333:role/gateway",
  }]);
  const { html } = await browser.get(`${list}/aws`);
  assert(!html.includes("secret-of-the-sample"));
  assertStringIncludes(html, "eu-central-1");
  assert(!JSON.stringify(await entries(console.store)).includes("secret-of-the-sample"));
});

const wrong: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ["no region", { surface: "bedrock", apiKey: "k", region: "" }, "This cloud needs it."],
  [
    "a host for a region",
    { surface: "bedrock", apiKey: "k", region: "evil.example/" },
    "Enter it as the cloud's own console shows it.",
  ],
  ["no key", { surface: "bedrock", region: "us-east-1" }, "This upstream requires an API key."],
  [
    "half of a key",
    { surface: "bedrock", region: "us-east-1", signIn: "aws", secretAccessKey: "s" },
    "The credential must be a whole credential source: accessKeyId is missing or wrong.",
  ],
  [
    "a file of another kind",
    { surface: "vertex", project: "p", json: '{"type":"service_account"}' },
    "The credential must be a whole credential source: client_email is missing or wrong.",
  ],
  ["no address", { surface: "foundry", apiKey: "k" }, "Enter a base URL"],
];
for (const [name, fields, sentence] of wrong) {
  testConsole(`clouds: ${name} is refused with a reason`, async (console) => {
    withGateway(console);
    const browser = await console.signedIn(administrator);
    const answer = await browser.post(path, { id: "x", intent: "draft", ...fields });
    assertEquals(answer.status, 422);
    assertStringIncludes(textOf(answer.html), sentence);
  });
}

testConsole("clouds: a test that fails says what is wrong, and keeps the key", async (console) => {
  await using upstream = startUpstream(() =>
    Response.json({
      error: { code: "401", message: "Access denied due to invalid subscription key" },
    }, {
      status: 401,
    })
  );
  withGateway(console, true);
  const browser = await console.signedIn(administrator);
  const filled = {
    surface: "azure-openai",
    id: "azure",
    baseUrl: upstream.base,
    apiKey: "azure-key-of-mine",
    models: "gpt-5.1",
  };
  const answer = await browser.post(path, { ...filled, intent: "test" });
  assertEquals(answer.status, 200);
  assertStringIncludes(textOf(answer.html), "the secret is wrong. Enter it again.");
  assert(!answer.html.includes("azure-key-of-mine"));
  const kept = /name="kept" value="([^"]+)"/.exec(answer.html)?.[1] ?? "";
  const again = { ...filled, apiKey: "", kept, intent: "draft" };
  assertRedirect(await browser.post(path, again), `${list}/azure?done=draft`);
  assertEquals((await getUpstream(console.store, "azure"))?.credentials, ["azure-key-of-mine"]);
});

testConsole("clouds: a copy of an upstream stays in its cloud", async (console) => {
  withGateway(console);
  const cloud = { surface: "bedrock", region: "us-east-1" } as const;
  await createUpstream(console.store, sample({ id: "first", cloud }));
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get(`${list}/new?from=first`);
  const field = (name: string) =>
    new RegExp(`name="${name}"[^>]*value="([^"]*)"|value="([^"]*)"[^>]*name="${name}"`).exec(html);
  for (const [name, value] of Object.entries(cloud)) {
    const found = field(name);
    assertEquals(found?.[1] ?? found?.[2], value, name);
  }
});

Deno.test("clouds: another region moves the addresses, unless they are your own", () => {
  const former = { surface: "bedrock", region: "us-east-1" } as const;
  const cloud = { ...former, region: "us-west-2" };
  const derived = surfaceEndpoints(former);
  assertEquals(movedEndpoints(derived, { cloud, former }), surfaceEndpoints(cloud));
  const own = { ...derived, messages: "https://vpce.example/anthropic" };
  assertEquals(movedEndpoints(own, { cloud, former }), own);
});

Deno.test("clouds: an unknown choice is the first one", () => {
  assertEquals(chosenCloud(new URLSearchParams("surface=x&signIn=entra")), {
    surface: "bedrock",
    signIn: "key",
  });
});
