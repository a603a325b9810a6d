import {
  ConfidentialClientApplication,
  type INetworkModule,
  ManagedIdentityApplication,
} from "@azure/msal-node";
import { assertEquals } from "@std/assert";
import { assertion, FakeEntra } from "./fake_entra.ts";
import { Clock } from "./network.ts";

const scopes = ["https://ai.azure.com/.default"];

/** The fake behind the vendor's own library, which wants HTTPS. */
function fakeEntra() {
  const clock = new Clock();
  clock.nowMs = Date.now();
  const fake = new FakeEntra(clock);
  const sent = (method: string): INetworkModule["sendGetRequestAsync"] => async (url, options) => {
    const { headers = {}, body } = options ?? {};
    const request = new Request(url, { method, headers, ...(body && { body }) });
    const isLogin = request.url.startsWith("https://login.microsoftonline.com/");
    const answer = await (isLogin ? fake.login(request) : fake.machine(request));
    return {
      headers: Object.fromEntries(answer.headers),
      body: await answer.json(),
      status: answer.status,
    };
  };
  const networkClient: INetworkModule = {
    sendGetRequestAsync: sent("GET"),
    sendPostRequestAsync: sent("POST"),
  };
  return { fake, system: { networkClient } };
}

/** The host and its endpoints, which the library otherwise asks Microsoft for. */
const authority = "https://login.microsoftonline.com/tenant-1";
const known = {
  authority,
  cloudDiscoveryMetadata: JSON.stringify({
    tenant_discovery_endpoint: authority,
    metadata: [{
      preferred_network: "login.microsoftonline.com",
      preferred_cache: "login.windows.net",
      aliases: ["login.microsoftonline.com"],
    }],
  }),
  authorityMetadata: JSON.stringify({
    issuer: `${authority}/v2.0`,
    authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
    token_endpoint: `${authority}/oauth2/v2.0/token`,
    jwks_uri: `${authority}/discovery/v2.0/keys`,
  }),
};

for (
  const [name, proof] of Object.entries({
    secret: { clientSecret: "secret-1" },
    "federated token": { clientAssertion: assertion },
  })
) {
  Deno.test(`Entra: the vendor's own library gets a token from the same fake by a ${name}`, async () => {
    const { fake, system } = fakeEntra();
    const auth = { clientId: "client-1", ...known, ...proof };
    const app = new ConfidentialClientApplication({ auth, system });
    const got = await app.acquireTokenByClientCredential({ scopes });
    assertEquals(fake.tokens.get(got?.accessToken ?? "")?.scope, scopes.join(" "));
  });
}

Deno.test("Entra: the vendor's own library gets a token of a virtual machine from the same fake", async () => {
  const { fake, system } = fakeEntra();
  const app = new ManagedIdentityApplication({ system });
  const got = await app.acquireToken({ resource: "https://ai.azure.com" });
  assertEquals(fake.tokens.get(got.accessToken)?.scope, "https://ai.azure.com null");
});
