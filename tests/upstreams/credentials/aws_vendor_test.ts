import AnthropicAws from "@anthropic-ai/aws-sdk";
import { assertEquals } from "@std/assert";
import {
  fromHttp,
  fromInstanceMetadata,
  fromTemporaryCredentials,
  fromWebToken,
} from "@aws-sdk/credential-providers";
import { serveLoopback } from "../../e2e/fake_upstream.ts";
import { externalId, FakeAws, role, root, webToken } from "./fake_aws.ts";
import { Clock } from "./network.ts";

Deno.test("AWS: Anthropic's own client of Claude Platform on AWS signs as the fake expects", async () => {
  const clock = new Clock();
  clock.nowMs = Date.now();
  const cloud = new FakeAws(clock);
  const faults: (string | undefined)[] = [];
  await using server = serveLoopback(async (request) => {
    faults.push(await cloud.fault(request, "aws-external-anthropic"));
    return Response.json({ type: "message", content: [] });
  });
  const client = new AnthropicAws({
    ...{ baseURL: server.base, awsRegion: "eu-central-1", workspaceId: "wrkspc_1" },
    ...{ awsAccessKey: root.accessKeyId, awsSecretAccessKey: root.secretAccessKey },
  });
  await client.messages.create({
    ...{ model: "claude-opus-5", max_tokens: 9 },
    messages: [{ role: "user", content: "“Hi”" }],
  });
  assertEquals(faults, [undefined]);
});

/** The library takes the address from here only. */
const endpoint = "AWS_EC2_METADATA_SERVICE_ENDPOINT";

Deno.test("AWS: the vendor's own library gets keys from the same fakes", async () => {
  const clock = new Clock();
  clock.nowMs = Date.now();
  const cloud = new FakeAws(clock);
  await using server = serveLoopback((request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/latest/")) return cloud.metadata(request);
    return pathname === "/keys" ? cloud.container("pod-token")(request) : cloud.sts(request);
  });
  const clientConfig = { region: "eu-central-1", endpoint: server.base };
  const names = { RoleArn: role, RoleSessionName: "tessera" };
  const providers = [
    fromTemporaryCredentials({
      ...{ clientConfig, masterCredentials: root },
      params: { ...names, ExternalId: externalId },
    }),
    fromWebToken({
      ...{ clientConfig, webIdentityToken: webToken, roleArn: role },
      roleSessionName: "tessera",
    }),
    fromHttp({
      awsContainerCredentialsFullUri: `${server.base}/keys`,
      awsContainerAuthorizationToken: "pod-token",
    }),
    fromInstanceMetadata({ ec2MetadataV1Disabled: true }),
  ];
  using stack = new DisposableStack();
  stack.defer(() => Deno.env.delete(endpoint));
  Deno.env.set(endpoint, server.base);
  for (const provide of providers) {
    const { accessKeyId, secretAccessKey, sessionToken, expiration } = await provide();
    const issued = cloud.issued.get(accessKeyId);
    assertEquals([secretAccessKey, sessionToken], [issued?.secretAccessKey, issued?.sessionToken]);
    assertEquals(expiration?.getTime(), issued?.endsAtMs);
  }
});
