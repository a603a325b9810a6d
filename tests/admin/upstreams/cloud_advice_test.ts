import { assertEquals } from "@std/assert";
import { type CloudAdvice, cloudTest } from "../../../lib/admin/upstreams/cloud_advice.ts";
import type { ConnectionReport } from "../../../lib/upstreams/mod.ts";

const cloud = { surface: "bedrock", region: "us-east-1" } as const;

function adviceFor(report: Partial<ConnectionReport>): CloudAdvice | undefined {
  const whole = { state: "key-refused", isReady: false, tookMs: 1, ...report } as const;
  return cloudTest({ cloud }, whole).advice;
}

/** Words of the clouds, from their documents and SDKs. */
const said: readonly (readonly [CloudAdvice, string])[] = [
  ["clock", "Signature expired: 20261130T100000Z is now earlier than 20261130T101500Z"],
  ["clock", "Signature not yet current: 20261130T120000Z is still later than 20261130T101500Z"],
  ["expired", "The security token included in the request is expired"],
  ["expired", "AADSTS7000222: The provided client secret keys for app are expired."],
  ["region", "Credential should be scoped to a valid region."],
  ["access", "You don't have access to the model with the specified model ID."],
  [
    "access",
    "Publisher Model `projects/p/x` was not found or your project does not have access to it.",
  ],
  ["access", "Model use case details have not been submitted for this account."],
  ["deployment", "DeploymentNotFound: The API deployment for this resource does not exist."],
  ["right", "User: … is not authorized to perform: bedrock:ListFoundationModels"],
  ["right", "Permission 'aiplatform.endpoints.predict' denied: PERMISSION_DENIED"],
  ["right", "The principal lacks the required data action Microsoft.CognitiveServices/x"],
  ["quota", "Quota exceeded for aiplatform.googleapis.com/x per_base_model"],
  ["secret", "The security token included in the request is invalid."],
  ["secret", "AADSTS7000215: Invalid client secret provided."],
  ["secret", "Access denied due to invalid subscription key or wrong API endpoint."],
  ["secret", "invalid_grant: Invalid JWT Signature."],
];
for (const [advice, words] of said) {
  Deno.test(`clouds: "${words.slice(0, 50)}" is about: ${advice}`, () => {
    assertEquals(adviceFor({ said: words }), advice);
  });
}

Deno.test("clouds: a clock that is ten minutes off comes before all words", () => {
  const said = "The security token included in the request is invalid.";
  assertEquals(adviceFor({ said, clockAheadMs: -600_000 }), "clock");
});

Deno.test("clouds: a region without a host is a wrong region, and success needs no advice", () => {
  assertEquals(adviceFor({ state: "name" }), "region");
  assertEquals(adviceFor({ state: "ok", isReady: true, said: "expired" }), undefined);
  assertEquals(adviceFor({ state: "timeout" }), undefined);
});

Deno.test("clouds: other upstreams get no advice", () => {
  const report = { state: "key-refused", isReady: false, tookMs: 1, said: "expired" } as const;
  assertEquals(cloudTest({}, report), {});
});
