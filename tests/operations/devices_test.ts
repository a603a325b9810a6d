import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { admitDevice, readDeviceCode } from "../../lib/accounts/mod.ts";
import { getApiKey } from "../../lib/store/api_keys/mod.ts";
import { startGateway, type TestGateway } from "../e2e/gateway.ts";

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

function post(
  { base }: TestGateway,
  path: string,
  form: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(base + path, { method: "POST", headers, body: new URLSearchParams(form) });
}

async function confirm({ parts: { store } }: TestGateway, userCode: string) {
  const code = await readDeviceCode(store, userCode, Date.now()) ?? "";
  const draft = { accountId: "owner", name: "laptop", groupId: "default", enabled: true };
  const apiKey = await admitDevice(store, { code, draft }, Date.now());
  assert(apiKey);
  return apiKey;
}

async function signIn(gateway: TestGateway) {
  const begun = await (await post(gateway, "/oauth/device_authorization")).json();
  const { id } = await confirm(gateway, begun.user_code);
  const form = { grant_type: deviceGrant, device_code: begun.device_code };
  const response = await post(gateway, "/oauth/token", form);
  assertEquals(response.status, 200);
  return { id, tokens: await response.json() };
}

Deno.test("devices: a client finds the addresses, and signs in by them", async () => {
  await using gateway = await startGateway();
  const { base } = gateway;
  const found = await (await fetch(`${base}/.well-known/oauth-authorization-server`)).json();
  assertEquals(found.gateway_protocol_version, 1);
  for (const name of ["device_authorization", "token", "revocation"]) {
    assertStringIncludes(found[`${name}_endpoint`], `${base}/oauth/`);
  }
  const agent = { "user-agent": "claude-code/2.1.332" };
  const asked = { surface: "claude_code", unknown: "member" };
  const begun = await (await post(gateway, "/oauth/device_authorization", asked, agent)).json();
  assertEquals([begun.expires_in, begun.interval], [600, 5]);
  assertEquals(begun.verification_uri, `${base}/console/account/devices`);
  assertStringIncludes(begun.verification_uri_complete, begun.user_code);
  const form = { grant_type: deviceGrant, device_code: begun.device_code };
  const early = await post(gateway, "/oauth/token", form);
  assertEquals([early.status, (await early.json()).error], [400, "authorization_pending"]);
  await confirm(gateway, begun.user_code);
  const response = await post(gateway, "/oauth/token", form);
  const tokens = await response.json();
  assertEquals([response.status, tokens.token_type, tokens.expires_in], [200, "Bearer", 3600]);
  const models = await fetch(`${base}/v1/models`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  assertEquals(models.status, 200);
  await models.body?.cancel();
});

Deno.test("devices: a replay, and what is no grant, are answered as RFC 6749 says", async () => {
  await using gateway = await startGateway();
  const { id, tokens } = await signIn(gateway);
  const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  assertEquals((await (await post(gateway, "/oauth/token", refresh)).json()).expires_in, 3600);
  const replayed = await post(gateway, "/oauth/token", refresh);
  assertEquals([replayed.status, (await replayed.json()).error], [401, "invalid_grant"]);
  assertEquals(await getApiKey(gateway.parts.store, id), undefined);
  for (const grant_type of ["", "password", "authorization_code"]) {
    const response = await post(gateway, "/oauth/token", { grant_type });
    assertEquals([response.status, (await response.json()).error], [400, "unsupported_grant_type"]);
  }
  const guess = await post(gateway, "/oauth/token", { grant_type: deviceGrant, device_code: "a" });
  assertEquals([guess.status, (await guess.json()).error], [401, "invalid_grant"]);
});

Deno.test("devices: an ended device must sign in again, at once", async () => {
  await using gateway = await startGateway();
  const { tokens } = await signIn(gateway);
  const token = tokens.refresh_token;
  assertEquals((await post(gateway, "/oauth/revoke", { token })).status, 200);
  const response = await post(gateway, "/v1/messages", {}, {
    authorization: `Bearer ${tokens.access_token}`,
  });
  assertEquals([response.status, response.headers.get("x-should-retry")], [401, "false"]);
  assertEquals((await response.json()).error.type, "authentication_error");
});

Deno.test("devices: pages of other sites, and long forms, are refused", async () => {
  await using gateway = await startGateway();
  const { base } = gateway;
  for (const path of ["device_authorization", "token", "revoke"]) {
    const foreign = await post(gateway, `/oauth/${path}`, {}, { origin: "https://evil.example" });
    assertEquals(foreign.status, 403);
    assertEquals(foreign.headers.get("access-control-allow-origin"), null);
    await foreign.body?.cancel();
    const long = await post(gateway, `/oauth/${path}`, { text: "x".repeat(20_000) });
    assertEquals(long.status, 413);
    await long.body?.cancel();
  }
  const own = await post(gateway, "/oauth/device_authorization", {}, { origin: base });
  assertEquals(own.status, 200);
  await own.body?.cancel();
});

Deno.test("devices: starting a sign-in stores nothing", async () => {
  await using gateway = await startGateway();
  const { kv } = gateway.parts.store;
  const count = async () => (await Array.fromAsync(kv.list({ prefix: [] }))).length;
  const before = await count();
  const start = () => post(gateway, "/oauth/device_authorization").then((one) => one.json());
  await Promise.all(Array.from({ length: 100 }, start));
  assert(await count() - before < 50); // the gateway's own records, such as its isolate's
});

Deno.test("devices: the policy, the protocol and the telemetry are answered", async () => {
  await using gateway = await startGateway();
  const { base } = gateway;
  const policy = await fetch(`${base}/managed/settings`);
  assertEquals(policy.status, 404);
  await policy.body?.cancel();
  const protocol = await fetch(`${base}/protocol`);
  assertMatch(protocol.headers.get("content-type") ?? "", /^text\/markdown/);
  assertStringIncludes(await protocol.text(), "/oauth/token");
  const { tokens } = await signIn(gateway);
  const authorization = `Bearer ${tokens.access_token}`;
  for (const signal of ["metrics", "logs", "traces"]) {
    const anonymous = await post(gateway, `/v1/${signal}`);
    assertEquals([anonymous.status, (await anonymous.json()).error.type], [
      401,
      "authentication_error",
    ]);
    for (const body of ["{}", " ".repeat(8 * 1024 * 1024)]) {
      const url = `${base}/v1/${signal}`;
      const response = await fetch(url, { method: "POST", headers: { authorization }, body });
      assertEquals([response.status, await response.json()], [200, {}]);
    }
  }
});

Deno.test("devices: signed-in clients get the policy, with a checksum that they compute too", async () => {
  const managedSettings = {
    permissions: { deny: ["WebFetch"], allow: [] },
    env: { B: "1", A: "ü" },
  };
  await using gateway = await startGateway({ managedSettings });
  const { tokens } = await signIn(gateway);
  const ask = (headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${gateway.base}/managed/settings`, { headers });
  const authorization = `Bearer ${tokens.access_token}`;
  const anonymous = await ask();
  assertEquals([anonymous.status, await anonymous.json().then((one) => one.settings)], [
    401,
    undefined,
  ]);
  const response = await ask({ authorization });
  const { checksum, settings } = await response.json();
  assertEquals(settings, managedSettings);
  const sorted = '{"env":{"A":"ü","B":"1"},"permissions":{"allow":[],"deny":["WebFetch"]}}';
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sorted));
  assertEquals(checksum, `sha256:${new Uint8Array(bytes).toHex()}`);
  assertEquals(response.headers.get("etag"), `"${checksum}"`);
  assertEquals((await ask({ authorization, "if-none-match": `"${checksum}"` })).status, 304);
  const any = await ask({ authorization, "if-none-match": "*" });
  assertEquals([any.status, (await any.json()).checksum], [200, checksum]);
});
