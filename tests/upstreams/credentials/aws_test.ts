import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { getToken } from "@aws/bedrock-token-generator";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import type { Surface } from "../../../lib/store/catalog/mod.ts";
import { externalId, FakeAws, otherRole, role, root, webToken } from "./fake_aws.ts";
import { caller, Clock, Network, until } from "./network.ts";

const region = "eu-central-1";
const runtime = `https://bedrock-runtime.${region}.amazonaws.com`;
const mantle = `https://bedrock-mantle.${region}.api.aws`;
const platform = `https://aws-external-anthropic.${region}.api.aws`;
const sts = `https://sts.${region}.amazonaws.com`;
const metadata = "http://169.254.169.254";
const containers = "http://169.254.170.2";
const pods = "http://169.254.170.23";

function aws() {
  const clock = new Clock();
  const cloud = new FakeAws(clock);
  const network = new Network({
    [runtime]: cloud.service("bedrock"),
    [mantle]: cloud.service("bedrock-mantle"),
    [platform]: cloud.service("aws-external-anthropic"),
    [sts]: cloud.sts,
    [metadata]: cloud.metadata,
    [containers]: cloud.container(),
    [pods]: cloud.container("pod-token"),
  });
  return { clock, cloud, network };
}

const keys = {
  type: "aws",
  accessKeyId: root.accessKeyId,
  secretAccessKey: root.secretAccessKey,
};
const on = (surface: Surface) => ({ cloud: { surface, region } });

const cases: readonly {
  readonly name: string;
  readonly source: Record<string, unknown>;
  readonly variables?: Record<string, string>;
}[] = [
  { name: "keys", source: keys },
  { name: "a role", source: { ...keys, roleArn: role, externalId } },
  {
    name: "a web identity",
    source: { type: "aws_web_identity", roleArn: role, tokenFile: "/token" },
  },
  {
    name: "a web identity of the environment",
    source: { type: "aws_web_identity" },
    variables: { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: "/token" },
  },
  {
    name: "a container",
    source: { type: "aws_machine" },
    variables: { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/v2/credentials/1" },
  },
  {
    name: "a pod",
    source: { type: "aws_machine" },
    variables: {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${pods}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: "/pod-token",
    },
  },
  { name: "an instance", source: { type: "aws_machine" } },
  {
    name: "the environment",
    source: { type: "aws_machine" },
    variables: {
      AWS_ACCESS_KEY_ID: root.accessKeyId,
      AWS_SECRET_ACCESS_KEY: root.secretAccessKey,
    },
  },
  {
    name: "a pod with a web identity",
    source: { type: "aws_machine", roleArn: role },
    variables: { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: "/token" },
  },
  ...assuming({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/v2/credentials/1" }, "container"),
  ...assuming({}, "instance"),
  ...assuming(
    { AWS_ACCESS_KEY_ID: root.accessKeyId, AWS_SECRET_ACCESS_KEY: root.secretAccessKey },
    "environment",
  ),
  ...assuming({ AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: "/token" }, "web identity"),
];

/** A machine whose keys assume another role. */
function assuming(variables: Record<string, string>, name: string) {
  const source = { type: "aws_machine", roleArn: otherRole, externalId };
  return [{ name: `a role that the machine assumes by its ${name}`, source, variables }];
}

const files: Readonly<Record<string, string>> = {
  "/token": `${webToken}\n`,
  "/pod-token": "pod-token",
};
const readFile = (path: string) => Promise.resolve(files[path] ?? "");

for (const { name, source, variables = {} } of cases) {
  Deno.test(`AWS: ${name} mints a bearer token for Bedrock, or signs`, async () => {
    const { clock, network } = aws();
    const machine = { variables, readFile };
    const bedrock = caller({ network, clock, source, machine, ...on("bedrock") });
    assertEquals(await bedrock(`${runtime}/openai/v1/responses`), '200 {"by":"bearer"}');
    const signing = { ...source, mint: false };
    const invoke = caller({ network, clock, source: signing, machine, ...on("bedrock-invoke") });
    const url = `${runtime}/model/anthropic.claude-haiku-4-5-20251001-v1%3A0/invoke`;
    assertEquals(await invoke(url, {}, '{"a":"ü"}'), '200 {"by":"signature"}');
    const claude = caller({ network, clock, source, machine, ...on("claude-on-aws") });
    const headers = { "anthropic-version": "2023-06-01", "anthropic-beta": "a,  b" };
    assertEquals(
      await claude(`${platform}/v1/messages?beta=true`, headers),
      '200 {"by":"signature"}',
    );
  });
}

Deno.test("AWS: ids with slashes, and Mantle's own service, are signed as AWS expects", async () => {
  const { clock, network } = aws();
  const source = { ...keys, mint: false };
  const invoke = caller({ network, clock, source, ...on("bedrock") });
  const arn = encodeURIComponent(
    `arn:aws:bedrock:${region}:123456789012:application-inference-profile/a1b2`,
  );
  assertEquals(
    await invoke(`${runtime}/model/${arn}/invoke-with-response-stream`),
    '200 {"by":"signature"}',
  );
  const messages = caller({ network, clock, source, ...on("bedrock-mantle") });
  assertEquals(await messages(`${mantle}/anthropic/v1/messages`), '200 {"by":"signature"}');
  const wrong = caller({ network, clock, source, ...on("bedrock") });
  assertMatch(await wrong(`${mantle}/anthropic/v1/messages`), /^403 /);
});

Deno.test("AWS: the generator of the vendor makes tokens that the fake accepts, and it refuses changed ones", async () => {
  const { clock, cloud } = aws();
  clock.nowMs = Date.now();
  const tokenOf = (credentials: { accessKeyId: string; secretAccessKey: string }) =>
    getToken({ credentials, region, expiresInSeconds: 43_200 });
  const token = await tokenOf(root);
  const ask = (bearer: string) =>
    cloud.service("bedrock")(
      new Request(runtime, { headers: { authorization: `Bearer ${bearer}` } }),
    );
  assertEquals((await ask(token)).status, 200);
  assertEquals((await ask(await tokenOf(cloud.issue()))).status, 200);
  const changed = token.slice(0, 16) + btoa(atob(token.slice(16)).replace(region, "us-east-1"));
  assertEquals((await ask(changed)).status, 403);
});

Deno.test("AWS: 100 calls at once assume a role once, and again five minutes before its end", async () => {
  const { clock, cloud, network } = aws();
  const source = { ...keys, roleArn: role, externalId, mint: false };
  const call = caller({ network, clock, source, ...on("bedrock") });
  const many = () =>
    Promise.all(Array.from({ length: 100 }, () => call(`${runtime}/model/a/invoke`)));
  assertEquals(new Set(await many()), new Set(['200 {"by":"signature"}']));
  assertEquals(cloud.assumed, 1);
  clock.pass(54);
  await many();
  assertEquals(cloud.assumed, 1);
  clock.pass(2);
  await many();
  await until(() => cloud.assumed === 2);
  assertEquals(cloud.assumed, 2);
  clock.pass(10);
  assertEquals(new Set(await many()), new Set(['200 {"by":"signature"}']));
  assertEquals(cloud.assumed, 2);
});

Deno.test("AWS: keys that end before their time are renewed once, and the call is sent again", async () => {
  for (const mint of [true, false]) {
    const { clock, cloud, network } = aws();
    const source = { ...keys, roleArn: role, externalId, mint };
    const call = caller({ network, clock, source, ...on("bedrock") });
    await call(`${runtime}/model/a/invoke`);
    for (const [id, one] of cloud.issued) {
      if (id !== root.accessKeyId) cloud.issued.set(id, { ...one, endsAtMs: clock.nowMs });
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(`${runtime}/model/a/invoke`)),
    );
    assertEquals(new Set(answers), new Set([`200 {"by":"${mint ? "bearer" : "signature"}"}`]));
    assertEquals(cloud.assumed, 2);
  }
});

Deno.test("AWS: a refusal that is not about time is passed on, without the session token", async () => {
  const { clock, cloud, network } = aws();
  const source = { ...keys, roleArn: role, externalId, mint: false };
  const call = caller({ network, clock, source, ...on("bedrock") });
  await call(`${runtime}/model/a/invoke`);
  for (const [id, one] of cloud.issued) cloud.issued.set(id, { ...one, secretAccessKey: "other" });
  assertEquals(
    await call(`${runtime}/model/a/invoke`),
    '403 {"message":"The request is wrong: …"}',
  );
  assertEquals(cloud.assumed, 1);
});

Deno.test("AWS: a role that may not be assumed blames the credential, with AWS's words for operators", async () => {
  const { clock, network } = aws();
  const source = { ...keys, roleArn: role, externalId: "another" };
  const call = caller({ network, clock, source, ...on("bedrock") });
  const error = await assertRejects(() => call(`${runtime}/model/a/invoke`), GatewayError);
  assertEquals(error.code, "upstream_unauthorized");
  assertEquals(error.said?.code, "AccessDenied");
  assertEquals(error.said?.message, "User is not authorized to perform: sts:AssumeRole on …");
  assertEquals(
    String(error.cause),
    `Error: AccessDenied: User is not authorized to perform: sts:AssumeRole on ${role}`,
  );
});

Deno.test("AWS: an upstream of the console uses the machine's identity only if the operator allows it", async () => {
  for (
    const source of [{ type: "aws_machine" }, {
      type: "aws_web_identity",
      roleArn: role,
      tokenFile: "/token",
    }]
  ) {
    const { clock, network } = aws();
    const call = caller({
      network,
      clock,
      source,
      origin: "console",
      machine: { readFile },
      ...on("bedrock"),
    });
    const error = await assertRejects(() => call(`${runtime}/model/a/invoke`), GatewayError);
    assertEquals(error.code, "upstream_unauthorized");
    assertMatch(error.said?.message ?? "", /configuration file/);
    assertEquals(network.requests.length, 0);
  }
  const { clock, network } = aws();
  const machine = { isForAll: true };
  const call = caller({
    network,
    clock,
    source: { type: "aws_machine" },
    origin: "console",
    machine,
    ...on("bedrock"),
  });
  assertEquals(await call(`${runtime}/model/a/invoke`), '200 {"by":"bearer"}');
});
