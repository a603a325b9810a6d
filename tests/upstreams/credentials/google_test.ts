import { assertEquals, assertRejects } from "@std/assert";
import { IdentityPoolClient, JWT, UserRefreshClient } from "google-auth-library";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { FakeAws } from "./fake_aws.ts";
import { audience, email, FakeGoogle, impersonationUrl, privateKey } from "./fake_google.ts";
import { caller, Clock, Network, until } from "./network.ts";

const vertex = "https://aiplatform.googleapis.com";
const url = `${vertex}/v1/projects/p/locations/global/publishers/anthropic/models/m:rawPredict`;
const cloud = { surface: "vertex", project: "p" } as const;

const serviceAccount = {
  type: "service_account",
  project_id: "project-1",
  private_key_id: "key-1",
  private_key: privateKey,
  client_email: email,
  token_uri: "https://oauth2.googleapis.com/token",
};
const authorizedUser = {
  type: "authorized_user",
  client_id: "client-1",
  client_secret: "secret-1",
  refresh_token: "1//refresh",
};
const external = {
  type: "external_account",
  audience,
  subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
  token_url: "https://sts.googleapis.com/v1/token",
};
const awsSubject = {
  ...external,
  subject_token_type: "urn:ietf:params:aws:token-type:aws4_request",
  credential_source: {
    environment_id: "aws1",
    regional_cred_verification_url:
      "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
  },
};

function google() {
  const clock = new Clock();
  const fake = new FakeGoogle(clock);
  const aws = new FakeAws(clock);
  const network = new Network({
    [vertex]: fake.vertex,
    "https://oauth2.googleapis.com": fake.oauth,
    "http://169.254.169.254": (request) =>
      request.url.includes("computeMetadata") ? fake.metadata(request) : aws.metadata(request),
    "http://metadata.test": fake.metadata,
    "https://sts.googleapis.com": fake.sts((token) => isSubject(token, aws)),
    "https://iamcredentials.googleapis.com": fake.impersonate,
    "https://identity.test": (request) =>
      request.headers.get("x-secret") === "7"
        ? Response.json({ value: "subject-1" })
        : new Response("", { status: 401 }),
  });
  return { clock, fake, network };
}

/** Accepts a fixed token, or a signed request for AWS's identity, which Google sends on. */
async function isSubject(token: string, aws: FakeAws): Promise<boolean> {
  if (token === "subject-1") return true;
  if (!token.startsWith("%7B")) return false;
  const { url, method, headers } = JSON.parse(decodeURIComponent(token));
  const list = headers.map(({ key, value }: Record<string, string>) => [key, value]);
  const request = new Request(url, { method, headers: list });
  const isBound = request.headers.get("x-goog-cloud-target-resource") === audience;
  return isBound && await aws.fault(request, "sts") === undefined;
}

const files = (path: string) =>
  Promise.resolve(path === "/subject" ? "subject-1\n" : '{"access_token": "subject-1"}');

const cases: readonly {
  readonly name: string;
  readonly source: Record<string, unknown>;
  readonly by: string;
  readonly variables?: Record<string, string>;
}[] = [
  { name: "a service account", source: serviceAccount, by: "jwt" },
  {
    name: "a service account whose key has escaped line ends",
    source: { ...serviceAccount, private_key: privateKey.replaceAll("\n", "\\n") },
    by: "jwt",
  },
  { name: "an authorized user", source: authorizedUser, by: "refresh" },
  { name: "the metadata server", source: { type: "google_metadata" }, by: "metadata" },
  {
    name: "the metadata server of the environment",
    source: { type: "google_metadata" },
    by: "metadata",
    variables: { GCE_METADATA_HOST: "metadata.test" },
  },
  {
    name: "a file's token",
    source: { ...external, credential_source: { file: "/subject" } },
    by: "exchange",
  },
  {
    name: "a file's token in JSON, with impersonation",
    source: {
      ...external,
      service_account_impersonation_url: impersonationUrl,
      credential_source: {
        file: "/subject.json",
        format: { type: "json", subject_token_field_name: "access_token" },
      },
    },
    by: "impersonation",
  },
  {
    name: "an address's token",
    source: {
      ...external,
      credential_source: {
        url: "https://identity.test/token",
        headers: { "x-secret": "7" },
        format: { type: "json", subject_token_field_name: "value" },
      },
    },
    by: "exchange",
  },
  { name: "AWS's identity", source: awsSubject, by: "exchange" },
];

for (const { name, source, by, variables = {} } of cases) {
  Deno.test(`Google: ${name} gets a token once in an hour`, async () => {
    const { clock, fake, network } = google();
    const call = caller({ network, clock, source, cloud, machine: { variables, readFile: files } });
    const answers = await Promise.all(Array.from({ length: 100 }, () => call(url)));
    assertEquals(new Set(answers), new Set([`200 {"by":"${by}","payer":null}`]));
    assertEquals(fake.issued(by), 1);
    clock.pass(56); // within five minutes of its end: renewed in the background
    await call(url);
    await until(() => fake.issued(by) === 2);
    clock.pass(10);
    assertEquals(await call(url), `200 {"by":"${by}","payer":null}`);
    assertEquals(fake.issued(by), 2);
  });
}

Deno.test("Google: a token that ends before its time is renewed once for all calls", async () => {
  const { clock, fake, network } = google();
  const source = { ...serviceAccount, quota_project_id: "payer-1" };
  const call = caller({ network, clock, source, cloud });
  await call(url);
  fake.expire();
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(url)));
  assertEquals(new Set(answers), new Set(['200 {"by":"jwt","payer":"payer-1"}']));
  assertEquals(fake.issued("jwt"), 2);
});

Deno.test("Google: a refusal after a renewal is passed on", async () => {
  const { clock, fake, network } = google();
  const refusing = new Network({
    [vertex]: () => Response.json({ error: { message: "The token has expired" } }, { status: 401 }),
    "https://oauth2.googleapis.com": fake.oauth,
  });
  const call = caller({ network: refusing, clock, source: serviceAccount, cloud });
  assertEquals(await call(url), '401 {"error":{"message":"The token has expired"}}');
  assertEquals(refusing.count(vertex), 2);
  assertEquals(network.requests.length, 0);
});

const refusals: readonly {
  readonly name: string;
  readonly source: Record<string, unknown>;
  readonly said: string;
}[] = [
  {
    name: "another key",
    source: { ...serviceAccount, private_key_id: "key-2" },
    said: "Invalid JWT Signature.",
  },
  {
    name: "no key",
    source: { ...serviceAccount, private_key: "none of that" },
    said: "The private_key of the service account is not a PKCS #8 key in PEM",
  },
  {
    name: "a revoked user",
    source: { ...authorizedUser, refresh_token: "1//former" },
    said: "Token has been revoked.",
  },
];

for (const { name, source, said } of refusals) {
  Deno.test(`Google: ${name} blames the credential`, async () => {
    const { clock, network } = google();
    const call = caller({ network, clock, source, cloud });
    const error = await assertRejects(() => call(url), GatewayError);
    assertEquals([error.code, error.said?.message], ["upstream_unauthorized", said]);
  });
}

Deno.test("Google: a token service that fails blames no credential", async () => {
  const { clock } = google();
  for (const status of [500, 503, 429]) {
    const network = new Network({
      "https://oauth2.googleapis.com": () => new Response("down", { status }),
    });
    const call = caller({ network, clock, source: serviceAccount, cloud });
    const error = await assertRejects(() => call(url), GatewayError);
    assertEquals(error.code, "upstream_error");
  }
});

Deno.test("Google: the vendor's own library gets tokens from the same fakes", async () => {
  const { clock, fake, network } = google();
  clock.nowMs = Date.now();
  const transporterOptions = {
    fetchImplementation: (input: string | URL | Request, init?: RequestInit) =>
      network.fetch(new Request(input, init)),
  };
  const scopes = ["https://www.googleapis.com/auth/cloud-platform"];
  const jwt = new JWT({ email, key: privateKey, keyId: "key-1", scopes, transporterOptions });
  const user = new UserRefreshClient({
    ...{ clientId: "client-1", clientSecret: "secret-1", refreshToken: "1//refresh" },
    transporterOptions,
  });
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => {
      const { pathname } = new URL(request.url);
      const origin =
        new URL(pathname === "/v1/token" ? external.token_url : impersonationUrl).origin;
      return network.fetch(new Request(`${origin}${pathname}`, request));
    },
  );
  const base = `http://127.0.0.1:${server.addr.port}`;
  const workload = new IdentityPoolClient({
    ...{ ...external, type: "external_account", scopes, token_url: `${base}/v1/token` },
    service_account_impersonation_url: base + new URL(impersonationUrl).pathname,
    subject_token_supplier: { getSubjectToken: () => Promise.resolve("subject-1") },
  });
  const issued = [jwt, user, workload].map(async (client) => (await client.getAccessToken()).token);
  const kinds = (await Promise.all(issued)).map((token) => fake.tokens.get(token ?? "")?.by);
  assertEquals(kinds, ["jwt", "refresh", "impersonation"]);
});
