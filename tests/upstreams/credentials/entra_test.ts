import { assertEquals, assertRejects } from "@std/assert";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import type { Surface } from "../../../lib/store/catalog/mod.ts";
import { assertion, FakeEntra } from "./fake_entra.ts";
import { caller, Clock, Network } from "./network.ts";

const resource = "https://res.services.ai.azure.com";
const url = `${resource}/anthropic/v1/messages`;
const metadata = "http://169.254.169.254";
const app = "http://127.0.0.1:41000";
const foundryScope = "https://ai.azure.com/.default";
const openaiScope = "https://cognitiveservices.azure.com/.default";

function azure() {
  const clock = new Clock();
  const fake = new FakeEntra(clock);
  const network = new Network({
    [resource]: fake.foundry,
    "https://login.microsoftonline.com": fake.login,
    "https://login.microsoftonline.us": fake.login,
    [metadata]: fake.machine,
    [app]: fake.machine,
  });
  return { clock, fake, network };
}

const client = { type: "entra", tenantId: "tenant-1", clientId: "client-1" };
const workload = {
  AZURE_TENANT_ID: "tenant-1",
  AZURE_CLIENT_ID: "client-1",
  AZURE_FEDERATED_TOKEN_FILE: "/azure",
  AZURE_AUTHORITY_HOST: "https://login.microsoftonline.us/",
};

const cases: readonly {
  readonly name: string;
  readonly source: Record<string, unknown>;
  readonly scope: string;
  readonly surface?: Surface;
  readonly variables?: Record<string, string>;
}[] = [
  { name: "a client secret", source: { ...client, clientSecret: "secret-1" }, scope: foundryScope },
  {
    name: "a client secret for Azure OpenAI",
    source: { ...client, clientSecret: "secret-1" },
    scope: openaiScope,
    surface: "azure-openai",
  },
  {
    name: "a scope of its own, in a cloud of its own",
    source: {
      ...{ ...client, clientSecret: "secret-1", scope: "https://own/.default" },
      authority: "https://login.microsoftonline.us",
    },
    scope: "https://own/.default",
  },
  {
    name: "a federated token's file",
    source: { ...client, federatedTokenFile: "/azure" },
    scope: foundryScope,
  },
  {
    name: "a workload's environment",
    source: { type: "entra" },
    scope: foundryScope,
    variables: workload,
  },
  {
    name: "the identity of a virtual machine",
    source: { type: "entra_managed_identity" },
    scope: "https://ai.azure.com null",
  },
  {
    name: "the identity of an app, assigned by a user",
    source: { type: "entra_managed_identity", clientId: "id-7" },
    scope: "https://ai.azure.com id-7",
    variables: { IDENTITY_ENDPOINT: `${app}/msi/token`, IDENTITY_HEADER: "header-1" },
  },
];

for (const { name, source, scope, surface = "foundry", variables = {} } of cases) {
  Deno.test(`Entra: ${name} gets a token once in an hour`, async () => {
    const { clock, fake, network } = azure();
    const machine = { variables, readFile: () => Promise.resolve(assertion) };
    const call = caller({ network, clock, source, cloud: { surface }, machine });
    const answers = await Promise.all(Array.from({ length: 100 }, () => call(url)));
    assertEquals(new Set(answers), new Set([`200 ${scope}`]));
    assertEquals(fake.tokens.size, 1);
    clock.pass(61);
    assertEquals(await call(url), `200 ${scope}`);
    assertEquals(fake.tokens.size, 2);
  });
}

Deno.test("Entra: an expired client secret blames the credential, and says so to operators", async () => {
  const { clock, network } = azure();
  const source = { ...client, clientSecret: "former" };
  const call = caller({ network, clock, source, cloud: { surface: "foundry" } });
  const { code, said, message } = await assertRejects(() => call(url), GatewayError);
  assertEquals([code, said?.code], ["upstream_unauthorized", "invalid_client"]);
  assertEquals(message.includes("AADSTS"), false);
});

Deno.test("Entra: a workload's environment serves upstreams of the console only if the operator allows it", async () => {
  const { clock, network } = azure();
  const machine = { variables: workload, readFile: () => Promise.resolve(assertion) };
  const on = {
    network,
    clock,
    source: { type: "entra" },
    cloud: { surface: "foundry" },
    origin: "console",
  } as const;
  await assertRejects(() => caller({ ...on, machine })(url), GatewayError);
  assertEquals(network.requests.length, 0);
  const allowed = caller({ ...on, machine: { ...machine, isForAll: true } });
  assertEquals(await allowed(url), `200 ${foundryScope}`);
});
