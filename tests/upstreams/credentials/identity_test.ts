import { assertEquals } from "@std/assert";
import type { UpstreamRecord } from "../../../lib/store/catalog/mod.ts";
import { testConnection } from "../../../lib/upstreams/mod.ts";
import { withSources } from "../../../lib/upstreams/credentials/mod.ts";
import { externalId, FakeAws, role, root } from "./fake_aws.ts";
import { email, FakeGoogle, privateKey } from "./fake_google.ts";
import { Clock, Network, timeouts } from "./network.ts";

const region = "eu-central-1";
const keys = { type: "aws", accessKeyId: root.accessKeyId, secretAccessKey: root.secretAccessKey };

const cases: readonly {
  readonly name: string;
  readonly credential: Record<string, unknown> | string;
  readonly expected: string | undefined;
}[] = [
  { name: "keys of AWS", credential: keys, expected: "arn:aws:iam::123456789012:user/root" },
  {
    name: "a role of AWS",
    credential: { ...keys, roleArn: role, externalId },
    expected: `${role}/tessera`,
  },
  {
    name: "unknown keys",
    credential: { ...keys, accessKeyId: "AKIAOTHER" },
    expected: undefined,
  },
  {
    name: "a service account",
    credential: { type: "service_account", client_email: email, private_key: privateKey },
    expected: email,
  },
  { name: "a static secret", credential: "sk-1", expected: undefined },
];

for (const { name, credential, expected } of cases) {
  Deno.test(`testConnection: ${name} is ${expected ?? "not named"}`, async () => {
    const clock = new Clock();
    const aws = new FakeAws(clock);
    const network = new Network({
      [`https://sts.${region}.amazonaws.com`]: aws.sts,
      "https://oauth2.googleapis.com": new FakeGoogle(clock).oauth,
      "https://models.test": () => Response.json({ data: [] }),
    });
    const upstream: UpstreamRecord = {
      ...{ id: "u", models: [], priority: 0, weight: 1, groups: ["*"], timeouts, enabled: true },
      ...{ endpoints: { "chat-completions": "https://models.test/v1" }, origin: "config" },
      credentials: [typeof credential === "string" ? credential : JSON.stringify(credential)],
      cloud: { surface: "claude-on-aws", region },
    };
    const machine = { variables: {}, isForAll: false };
    const report = await testConnection(
      upstream,
      withSources(network.send, { machine, now: clock.now }),
    );
    assertEquals(report.identity, expected);
  });
}
