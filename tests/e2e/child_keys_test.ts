import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { generateKeyPair, SignJWT } from "jose";
import { authorizeChild, rotateApiKey } from "../../lib/accounts/mod.ts";
import { type FormatName, formatNames, GatewayError } from "../../lib/canonical/mod.ts";
import { childPublicKey } from "../../lib/child_key.ts";
import { deleteApiKey, listApiKeys, updateApiKey } from "../../lib/store/api_keys/mod.ts";
import { listRequestLogs } from "../../lib/store/log/mod.ts";
import { childClaims, sha256, signChild, unsignedToken } from "../accounts/child_token.ts";
import { addKey } from "../console/records.ts";
import { codeIn } from "../formats/error_code.ts";
import { secrets } from "../operations/own_key/key_scene.ts";
import { startGateway, type TestGateway, testKey } from "./gateway.ts";

/** Child keys as callers meet them: each token over HTTP, in the caller's own format. */

const calls = {
  "chat-completions": {
    path: "/v1/chat/completions",
    body: { model: "tessera-echo", messages: [{ role: "user", content: "hi" }] },
  },
  responses: { path: "/v1/responses", body: { model: "tessera-echo", input: "hi" } },
  messages: {
    path: "/v1/messages",
    body: { model: "tessera-echo", max_tokens: 99, messages: [{ role: "user", content: "hi" }] },
  },
  "generate-content": {
    path: "/v1beta/models/tessera-echo:generateContent",
    body: { contents: [{ parts: [{ text: "hi" }] }] },
  },
} as const satisfies Record<FormatName, { path: string; body: unknown }>;

async function call(
  { base }: TestGateway,
  key: string,
  { format = "chat-completions", headers = {}, more = {} }: {
    readonly format?: FormatName;
    readonly headers?: Readonly<Record<string, string>>;
    readonly more?: object;
  } = {},
) {
  const { path, body } = calls[format];
  const response = await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ ...body, ...more }),
  });
  return { status: response.status, body: await response.json() };
}

async function read({ base }: TestGateway, path: string, key: string) {
  const response = await fetch(base + path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}

const nowS = () => Math.floor(Date.now() / 1_000);
const kid = sha256(testKey);
const eddsa = { alg: "EdDSA", kid };

async function withKey(alg: string, header = {}): Promise<string> {
  const { privateKey } = await generateKeyPair(alg);
  return await new SignJWT(childClaims()).setProtectedHeader({ alg, kid, ...header })
    .sign(privateKey);
}

/** Signed with what a copy of the store has, as if it were a shared secret. */
function hmac(key: string): Promise<string> {
  return new SignJWT(childClaims()).setProtectedHeader({ alg: "HS256", kid })
    .sign(new TextEncoder().encode(key));
}

async function altered(claims: object): Promise<string> {
  const [header, , signature] = (await signChild(testKey, { budget: "0.01" })).split(".");
  return `${header}.${unsignedToken(eddsa, claims).split(".")[1]}.${signature}`;
}

/** Tokens that no gateway may accept, and what the refusal says. */
const hostile: readonly (readonly [string, () => Promise<string> | string, string])[] = [
  ["no algorithm", () => unsignedToken({ alg: "none", kid }, childClaims()), "alg"],
  ["an empty signature", () => unsignedToken(eddsa, childClaims()), "signature"],
  ["HMAC with the public key", () => hmac(childPublicKey(testKey)), "alg"],
  ["HMAC with the stored digest", () => hmac(kid), "alg"],
  ["HMAC with the secret", () => hmac(testKey), "alg"],
  ["RSA", () => withKey("RS256"), "alg"],
  ["ECDSA", () => withKey("ES256"), "alg"],
  ["a key pair of its own", () => withKey("EdDSA"), "signature"],
  [
    "a key pair in its header",
    () => withKey("EdDSA", { jwk: { kty: "OKP", crv: "Ed25519", x: "x".repeat(43) } }),
    "signature",
  ],
  ["the secret of another key", () => signChild(secrets.ci, {}, { kid }), "signature"],
  ["altered claims", () => altered(childClaims({ budget: "1000" })), "signature"],
  ["a critical header", () => signChild(testKey, {}, { crit: ["x"], x: 1 }), "Extension Header"],
  ["no kid", () => signChild(testKey, {}, { kid: undefined }), "kid"],
  ["the id of a key as kid", () => signChild(testKey, {}, { kid: "key_1" }), "kid"],
  ["an unknown kid", () => signChild(testKey, {}, { kid: sha256("other") }), "never existed"],
  ["a kid in capitals", () => signChild(testKey, {}, { kid: kid.toUpperCase() }), "kid"],
  ["a kid that is no text", () => unsignedToken({ alg: "EdDSA", kid: [kid] }, {}), "kid"],
  ["no end", () => signChild(testKey, { exp: undefined }), "exp"],
  ["a past end", () => signChild(testKey, { exp: nowS() - 1 }), "ended"],
  ["an end long ago", () => signChild(testKey, { exp: -1e300 }), "ended"],
  ["an end as text", () => signChild(testKey, { exp: `${nowS() + 60}` }), "exp"],
  ["an end in 25 hours", () => signChild(testKey, { exp: nowS() + 25 * 3_600 }), "24 hours"],
  ["an end never", () => signChild(testKey, { exp: 1e15 }), "24 hours"],
  ["half a second", () => signChild(testKey, { exp: nowS() + 60.5 }), "exp"],
  ["an unknown claim", () => signChild(testKey, { scope: "admin" }), "scope"],
  ["an audience", () => signChild(testKey, { aud: "x" }), "aud"],
  ["no name", () => signChild(testKey, { sub: undefined }), "sub"],
  ["a path as name", () => signChild(testKey, { sub: "../a" }), "sub"],
  ["a long name", () => signChild(testKey, { sub: "a".repeat(101) }), "sub"],
  ["a budget of 0", () => signChild(testKey, { budget: 0 }), "budget"],
  ["a budget below 0", () => signChild(testKey, { budget: "-1" }), "budget"],
  ["a budget with an exponent", () => signChild(testKey, { budget: "1e9" }), "budget"],
  ["a budget of null", () => signChild(testKey, { budget: null }), "budget"],
  ["a huge budget", () => signChild(testKey, { budget: 1e21 }), "budget"],
  ["no models", () => signChild(testKey, { models: [] }), "models"],
  ["models as text", () => signChild(testKey, { models: "*" }), "models"],
  ["101 models", () => signChild(testKey, { models: Array(101).fill("m") }), "models"],
  ["a session with a slash", () => signChild(testKey, { session: "a/b" }), "session"],
  ["4,097 characters", () => unsignedToken(eddsa, childClaims(), "a".repeat(4_097)), "4096"],
  ["claims that are a list", () => unsignedToken(eddsa, [], "aaaa"), ""],
  ["a header of text", () => "eyJ.eyJ.eyJ", "kid"],
  ["one part", () => "eyJ", "kid"],
  ["five parts, as encrypted tokens have", () => `${unsignedToken(eddsa, {})}.a.b`, ""],
  ["a grandchild", async () => await signChild(await signChild(testKey)), "never existed"],
];

Deno.test("hostile child keys are refused with 401, and say what is wrong", async (t) => {
  await using gateway = await startGateway({ keys: keysOf() });
  assertEquals((await call(gateway, await signChild(testKey))).status, 200);
  for (const [name, token, said] of hostile) {
    await t.step(name, async () => {
      const { status, body } = await call(gateway, await token());
      assertEquals([status, body.error.code], [401, "invalid_api_key"]);
      assert(/^Invalid child key: /.test(body.error.message), body.error.message);
      assertStringIncludes(body.error.message, said);
    });
  }
});

function keysOf(fields: object = {}) {
  return [
    { name: "test", group: "default", value: testKey, ...fields },
    { name: "ci", group: "default", value: secrets.ci },
  ];
}

Deno.test("every carrier takes a child key, whose models are narrower than its parent's", async () => {
  await using gateway = await startGateway({
    models: ["tessera-echo", "other"].map((id) => ({ id, price: { input: 1, output: 1 } })),
  });
  const token = await signChild(testKey, { models: ["tessera-ec*"] });
  const carriers: readonly { headers: Record<string, string>; query: string }[] = [
    { headers: { authorization: `Bearer ${token}` }, query: "" },
    { headers: { "x-api-key": token }, query: "" },
    { headers: { "x-alt-api-key": token }, query: "" },
    { headers: { "x-goog-api-key": token }, query: "" },
    { headers: {}, query: `?key=${token}` },
  ];
  for (const { headers, query } of carriers) {
    const response = await fetch(`${gateway.base}/v1/models${query}`, { headers });
    assertEquals(response.status, 200, JSON.stringify(headers));
    const { data, models } = await response.json();
    const names = (data ?? models).map((one: { id?: string; name?: string }) => one.id ?? one.name);
    assert(
      names.length > 0 && names.every((one: string) => one.includes("tessera-ec")),
      `${names}`,
    );
  }
  const refused = await call(gateway, token, { more: { model: "other" } });
  assertEquals([refused.status, refused.body.error.code], [403, "model_not_allowed"]);
});

Deno.test("a child of models that its parent may not use gets no more of them", async () => {
  await using gateway = await startGateway({ keys: keysOf({ models: ["other"] }) });
  const { status } = await call(gateway, await signChild(testKey, { models: ["*"] }));
  assertEquals(status, 403);
});

for (const format of formatNames) {
  Deno.test(`${format}: a child key that is over, or has spent its budget, is refused in the format`, async () => {
    await using gateway = await startGateway({
      models: [{ id: "tessera-echo", price: { input: 100, output: 100 } }],
    });
    const over = await call(gateway, await signChild(testKey, { exp: nowS() - 1 }), { format });
    const code = codeIn(format, over.body.error, over.status);
    assertEquals([over.status, code], [401, "invalid_api_key"]);
    const token = await signChild(testKey, { budget: 0.01 });
    let answer = await call(gateway, token, { format });
    assertEquals(answer.status, 200);
    for (let n = 0; n < 20 && answer.status === 200; n++) {
      answer = await call(gateway, token, { format });
    }
    const { status, body } = answer;
    assertEquals([status, codeIn(format, body.error, status)], [402, "insufficient_quota"]);
    assertStringIncludes(body.error.message, "of the child reviewer budget of $0.01 remains");
    assertStringIncludes(body.error.message, "sign another child key with a larger budget");
    assertEquals((await call(gateway, testKey, { format })).status, 200);
    const sibling = await signChild(testKey, { budget: 0.01, sub: "writer" });
    assertEquals((await call(gateway, sibling, { format })).status, 200);
  });
}

async function parentOf({ parts }: TestGateway, name: string) {
  const found = (await listApiKeys(parts.store)).find((key) => key.name === name);
  assert(found);
  return found;
}

Deno.test("a parent that is disabled, deleted, replaced or over ends all its children", async () => {
  await using gateway = await startGateway();
  const { store, directory } = gateway.parts;
  const secret = "sk-parent-0123456789abcdefghij";
  const fresh = async (id: string) => {
    await addKey(store, { id, name: id });
    const issued = await rotateApiKey(store, id, { graceMs: 0, nowMs: Date.now() });
    assert(issued);
    return issued.secret;
  };
  const ends: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    disabled: (id) => updateApiKey(store, id, (key) => ({ ...key, enabled: false })),
    expired: (id) => updateApiKey(store, id, (key) => ({ ...key, expiresAtMs: 1 })),
    "was deleted": (id) => deleteApiKey(store, id),
    "was replaced": (id) => rotateApiKey(store, id, { graceMs: 0, nowMs: Date.now() }),
    "does not allow this IP": (id) =>
      updateApiKey(store, id, (key) => ({ ...key, ipAllowList: ["10.0.0.1"] })),
  };
  for (const [said, end] of Object.entries(ends)) {
    const id = `key_${said.replaceAll(/\W/g, "_")}`;
    const parent = await fresh(id);
    const tokens = await Promise.all(["a", "b"].map((sub) => signChild(parent, { sub })));
    for (const token of tokens) assertEquals((await call(gateway, token)).status, 200);
    await end(id);
    await directory.refresh();
    for (const token of tokens) {
      const { status, body } = await call(gateway, token);
      assert(status === 401 || status === 403, `${said}: ${status}`);
      assertStringIncludes(body.error.message, said);
    }
  }
  await addKey(store, { id: "key_old", name: "old", digest: sha256(secret), publicKey: undefined });
  const old = await call(gateway, await signChild(secret));
  assertEquals(old.status, 401);
  assertStringIncludes(old.body.error.message, "Rotate the API key");
  const first = await fresh("key_grace");
  const token = await signChild(first);
  await rotateApiKey(store, "key_grace", { graceMs: 60_000, nowMs: Date.now() });
  await directory.refresh();
  assertEquals((await call(gateway, token)).status, 200);
});

Deno.test("a child key that was verified once ends at its time, and so do its parent's rights", async () => {
  await using gateway = await startGateway();
  const { directory } = gateway.parts;
  const exp = nowS() + 60;
  const token = await signChild(testKey, { exp });
  const at = (nowMs: number) => authorizeChild(token, { ip: "127.0.0.1", nowMs }, directory);
  assertEquals((await at(Date.now())).child, { name: "reviewer", endsAtMs: exp * 1_000 });
  assertEquals((await at(exp * 1_000 - 1)).child?.endsAtMs, exp * 1_000);
  await assertRejects(() => at(exp * 1_000), GatewayError, "it has ended");
});

Deno.test("a child with a budget is refused with 429 if too many live, others are not", async () => {
  await using gateway = await startGateway();
  const known = await signChild(testKey, { budget: 1, sub: "known" });
  assertEquals((await call(gateway, known)).status, 200);
  gateway.parts.directory.admitsChild = () => Promise.resolve(false);
  const { status, body } = await call(gateway, await signChild(testKey, { budget: 1 }));
  assertEquals([status, body.error.code], [429, "rate_limit_exceeded"]);
  assertStringIncludes(body.error.message, "too many child keys with budgets. Not charged");
  assertEquals((await call(gateway, known)).status, 200);
  assertEquals((await call(gateway, await signChild(testKey, { sub: "free" }))).status, 200);
});

Deno.test("a child's calls are its parent's, in the session that its token states alone", async () => {
  await using gateway = await startGateway({
    models: [{ id: "tessera-echo", price: { input: 100, output: 100 } }],
  });
  const headers = { "tessera-session": "elsewhere/other/review" };
  const [own, member] = [
    await signChild(testKey, { budget: "1" }),
    await signChild(testKey, { session: "build-7", sub: "tester" }),
  ];
  await call(gateway, own, { headers });
  await call(gateway, own);
  await call(gateway, member, { headers });
  await call(gateway, testKey, { headers: { "tessera-session": "build-7/other" } });
  const { store } = gateway.parts;
  const { rows } = await listRequestLogs(store, { limit: 9 });
  const { id: keyId } = await parentOf(gateway, "test");
  assertEquals(rows.map((row) => row.keyId), Array(4).fill(keyId));
  assertEquals(rows.toReversed().map(({ session }) => session), [
    { id: "reviewer", agent: "other", requestClass: "review" },
    { id: "reviewer" },
    { id: "build-7", agent: "tester", requestClass: "review" },
    { id: "build-7", agent: "other" },
  ]);
  const cost = (rows[0].costNanoUsd ?? 0n) + 0n;
  assert(cost > 0n);
  const ofOwn = (await read(gateway, "/v1/usage?session=build-7", own)).body;
  assertEquals([ofOwn.session, ofOwn.total.requests], ["reviewer", 2]);
  assertEquals(ofOwn.limits.map(({ owner }: { owner: string }) => owner), ["child"]);
  assertEquals(Number(ofOwn.remaining), 1 - Number(ofOwn.total.cost));
  const ofMember = (await read(gateway, "/v1/usage", member)).body;
  assertEquals([ofMember.session, ofMember.total.requests], ["build-7", 1]);
  assertEquals([ofMember.parts.length, ofMember.hours[0].requests], [1, 1]);
  const ofParent = (await read(gateway, "/v1/usage?session=build-7", testKey)).body;
  assertEquals(ofParent.total.requests, 2);
});

Deno.test("a child key reads nothing of its parent and manages nothing", async () => {
  await using gateway = await startGateway();
  const token = await signChild(testKey);
  const paths = ["/v1/key", "/dashboard/billing/subscription", "/dashboard/billing/usage"];
  for (const path of paths) {
    const { status, body } = await read(gateway, path, token);
    assertEquals([status, body.error.code], [404, "unknown_endpoint"]);
    assertEquals((await read(gateway, path, testKey)).status, 200);
  }
  for (const path of ["/api/v1/keys", "/api/v1/tokens/current"]) {
    assertEquals((await read(gateway, path, token)).status, 401);
  }
});
