import { assertEquals, assertStringIncludes } from "@std/assert";
import { listRequestLogs } from "../../lib/store/log/mod.ts";
import { createProject } from "../../lib/store/projects/mod.ts";
import { createUser } from "../../lib/store/users/mod.ts";
import { administrator } from "../console/people.ts";
import { sampleProject } from "../store/samples.ts";
import { startUpstream } from "./fake_upstream.ts";
import { startGateway, type TestGateway } from "./gateway.ts";

const hello = {
  "/v1/chat/completions": {
    model: "tessera-echo",
    messages: [{ role: "user", content: "hello" }],
  },
  "/v1/messages": {
    model: "tessera-echo",
    max_tokens: 50,
    messages: [{ role: "user", content: "hello" }],
  },
};

function post(
  { base }: TestGateway,
  path: keyof typeof hello,
  key: string,
  body: Record<string, unknown> = hello[path],
): Promise<Response> {
  return fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** The owner that refused a call, as the error names it. */
async function refuserOf(response: Response): Promise<[string, string] | undefined> {
  const { error } = await response.json();
  return error?.refused_by && [error.refused_by.owner, error.refused_by.id];
}

async function codeOf(response: Response): Promise<[number, string | undefined]> {
  return [response.status, (await response.json()).error?.code];
}

const secretOf = (name: string) => `sk-${name}-0123456789abcdef`;

Deno.test("rules of keys and groups hold on the way through the gateway", async () => {
  const key = (name: string, fields: Record<string, unknown> = {}) => ({
    name,
    value: secretOf(name),
    group: "default",
    ...fields,
  });
  await using gateway = await startGateway({
    groups: [{ id: "default" }, { id: "chat", formats: ["chat-completions"] }],
    keys: [
      key("plain"),
      key("chat", { group: "chat" }),
      key("elsewhere", { ipAllowList: ["203.0.113.0/24"] }),
      key("models", { models: ["other-*"] }),
    ],
  });
  const said = async (name: string, path: keyof typeof hello) =>
    await codeOf(await post(gateway, path, secretOf(name)));
  assertEquals(await said("plain", "/v1/messages"), [200, undefined]);
  assertEquals(await said("chat", "/v1/chat/completions"), [200, undefined]);
  assertEquals(await said("chat", "/v1/messages"), [403, "format_not_allowed"]);
  assertEquals(await said("elsewhere", "/v1/messages"), [403, "ip_not_allowed"]);
  assertEquals(await said("models", "/v1/messages"), [403, "model_not_allowed"]);
  const refuser = async (name: string) =>
    (await refuserOf(await post(gateway, "/v1/messages", secretOf(name))))?.[0];
  assertEquals(
    [await refuser("chat"), await refuser("elsewhere"), await refuser("models")],
    ["group", "key", "key"],
  );
});

Deno.test("a project's rule about models is named in the error, the row and its verdict", async () => {
  const key = { name: "one", value: secretOf("one"), group: "default" };
  await using gateway = await startGateway({ keys: [key] });
  const { store, directory } = gateway.parts;
  await createProject(store, sampleProject({ models: ["gpt-*"] }));
  await createUser(store, { ...administrator, projectId: "research" });
  await directory.refresh();
  const refused = await post(gateway, "/v1/chat/completions", secretOf("one"));
  const { error } = await refused.json();
  const { owner, id, url } = error.refused_by;
  assertEquals([owner, id], ["project", "research"]);
  assertEquals(url, `${gateway.base}/console/admin/projects/research`);
  assertStringIncludes(error.message, "The project research does not allow model 'tessera-echo'");
  const { rows: [row] } = await listRequestLogs(store, { limit: 1 });
  assertEquals(row.refuser, { owner: "project", id: "research" });
});

Deno.test("the model list shows what the key's group may use and no more", async () => {
  const upstream = (id: string, fields: Record<string, unknown>) => ({
    id,
    endpoints: { messages: "http://127.0.0.1:1" },
    ...fields,
  });
  await using gateway = await startGateway({
    groups: [{ id: "default" }, { id: "team", models: ["acme-*", "paid"] }],
    keys: [{ name: "team", value: secretOf("team"), group: "team" }, {
      name: "narrow",
      value: secretOf("narrow"),
      group: "team",
      models: ["acme-small"],
    }],
    upstreams: [
      upstream("all", { models: ["acme-small", "acme-large", "secret"] }),
      upstream("default-only", { models: ["acme-hidden"], groups: ["default"] }),
      upstream("team-only", { models: ["paid"], groups: ["team"] }),
      upstream("off", { models: ["acme-off"], enabled: false }),
    ],
  });
  const listed = async (name: string) => {
    const headers = { authorization: `Bearer ${secretOf(name)}` };
    const { data } = await (await fetch(`${gateway.base}/v1/models`, { headers })).json();
    return data.map(({ id }: { id: string }) => id);
  };
  assertEquals(await listed("team"), ["acme-large", "acme-small", "paid"]);
  assertEquals(await listed("narrow"), ["acme-small"]);
});

Deno.test("a request tries no more upstreams than the configuration allows", async () => {
  await using broken = startUpstream(() => new Response("busy", { status: 503 }));
  await using gateway = await startGateway({
    limits: { attemptsMax: 2 },
    upstreams: ["a", "b", "c"].map((id) => ({
      id,
      endpoints: { messages: broken.base },
      models: ["m"],
    })),
  });
  const response = await post(gateway, "/v1/messages", gateway.key, {
    ...hello["/v1/messages"],
    model: "m",
  });
  assertEquals((await codeOf(response))[1], "upstream_overloaded");
  assertEquals(broken.seen.length, 2);
  const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
  assertEquals(
    [row.outcome, row.errorCode, row.upstreamId !== undefined],
    ["upstream_error", "upstream_overloaded", true],
    "its row names the last upstream that was asked and how it failed",
  );
});

Deno.test("errors say whether and when to try again", async () => {
  await using gateway = await startGateway();
  const failing = (text: string) =>
    post(gateway, "/v1/chat/completions", gateway.key, {
      model: "tessera-echo",
      messages: [{ role: "user", content: text }],
    });
  const busy = await failing("fail 429");
  assertEquals([busy.status, busy.headers.get("retry-after")], [429, "2"]);
  assertEquals(busy.headers.get("x-should-retry"), null);
  await busy.body?.cancel();
  for (const final of [await failing("fail 400"), await post(gateway, "/v1/messages", "sk-no")]) {
    assertEquals(final.headers.get("x-should-retry"), "false");
    await final.body?.cancel();
  }
});
