import { assertEquals } from "@std/assert";
import { fromHttp, fromTemporaryCredentials, fromWebToken } from "@aws-sdk/credential-providers";
import { serveLoopback } from "../../e2e/fake_upstream.ts";
import { externalId, FakeAws, role, root, webToken } from "./fake_aws.ts";
import { Clock } from "./network.ts";

Deno.test("AWS: the vendor's own library gets keys from the same fakes", async () => {
  const clock = new Clock();
  clock.nowMs = Date.now();
  const cloud = new FakeAws(clock);
  await using server = serveLoopback((request) =>
    new URL(request.url).pathname === "/keys"
      ? cloud.container("pod-token")(request)
      : cloud.sts(request)
  );
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
  ];
  for (const provide of providers) {
    const { accessKeyId, secretAccessKey, sessionToken, expiration } = await provide();
    const issued = cloud.issued.get(accessKeyId);
    assertEquals([secretAccessKey, sessionToken], [issued?.secretAccessKey, issued?.sessionToken]);
    assertEquals(expiration?.getTime(), issued?.endsAtMs);
  }
});
