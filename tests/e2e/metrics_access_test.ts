import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { ConfigError, loadConfig } from "../../lib/config.ts";
import { deployEnv } from "../deploy/deploy_env.ts";
import { startGateway, type TestGateway } from "./gateway.ts";

const token = "scrape-0123456789abcdef";
const bearer = { authorization: `Bearer ${token}` };

interface Reader {
  /** The peer of the connection. */
  readonly from: string;
  readonly headers?: Record<string, string>;
}

async function read({ parts }: TestGateway, { from, headers = {} }: Reader): Promise<Response> {
  const remoteAddr = { transport: "tcp", hostname: from, port: 1 } as const;
  const request = new Request("http://gateway.test/metrics", { headers });
  return await parts.fetch(request, { remoteAddr, completed: Promise.resolve() });
}

const readers: readonly (Reader & { readonly name: string; readonly status: number })[] = [
  { name: "this machine", from: "127.0.0.1", status: 200 },
  { name: "this machine by IPv6", from: "::1", status: 200 },
  { name: "this machine by mapped IPv6", from: "::ffff:127.0.0.1", status: 200 },
  { name: "another machine", from: "203.0.113.9", status: 401 },
  { name: "another machine by IPv6", from: "2001:db8::9", status: 401 },
  { name: "a neighbour in the network", from: "10.0.0.9", status: 401 },
  { name: "another machine with the token", from: "203.0.113.9", headers: bearer, status: 200 },
  {
    name: "another machine with a wrong token of the same length",
    from: "203.0.113.9",
    headers: { authorization: `Bearer ${token.slice(0, -1)}0` },
    status: 401,
  },
  {
    name: "another machine with the token's beginning",
    from: "203.0.113.9",
    headers: { authorization: `Bearer ${token.slice(0, -1)}` },
    status: 401,
  },
  {
    name: "another machine that claims to be this one",
    from: "203.0.113.9",
    headers: { "x-forwarded-for": "127.0.0.1" },
    status: 401,
  },
  {
    name: "another machine behind the trusted proxy",
    from: "127.0.0.9",
    headers: { "x-forwarded-for": "203.0.113.9" },
    status: 401,
  },
  {
    name: "another machine behind a proxy of this machine that is not trusted",
    from: "127.0.0.1",
    headers: { "x-forwarded-for": "203.0.113.9" },
    status: 401,
  },
  {
    name:
      "another machine behind a proxy of this machine that states its address as nginx's guide does",
    from: "127.0.0.1",
    headers: { "x-real-ip": "203.0.113.9" },
    status: 401,
  },
  {
    name: "another machine behind a proxy of this machine that states the scheme alone",
    from: "127.0.0.1",
    headers: { "x-forwarded-proto": "https" },
    status: 401,
  },
  {
    name: "another machine behind the trusted proxy with the token",
    from: "127.0.0.9",
    headers: { ...bearer, "x-forwarded-for": "203.0.113.9" },
    status: 200,
  },
];

Deno.test("/metrics: answered on this machine, and elsewhere with the token alone", async (test) => {
  await using gateway = await startGateway({
    metricsToken: token,
    trustedProxies: ["127.0.0.9"],
  });
  for (const { name, status, ...reader } of readers) {
    await test.step(`${name}: ${status}`, async () => {
      const response = await read(gateway, reader);
      const text = await response.text();
      assertEquals(response.status, status, text);
      if (status === 200) assertStringIncludes(text, "process_open_fds");
      else assertMatch(JSON.parse(text).error.message, /TESSERA_METRICS_TOKEN/);
    });
  }
});

Deno.test("/metrics: without a token nothing opens it elsewhere, and the refusal is typed", async () => {
  await using gateway = await startGateway();
  for (const headers of [{}, bearer, { authorization: "Bearer undefined" }]) {
    const response = await read(gateway, { from: "203.0.113.9", headers });
    const { error } = await response.json();
    assertEquals([response.status, response.headers.get("www-authenticate")], [401, "Bearer"]);
    assertEquals([error.type, error.code], ["authentication_error", "invalid_api_key"]);
    assertEquals(error.request_id, response.headers.get("x-request-id"));
  }
  const direct = await fetch(`${gateway.base}/metrics`);
  assertStringIncludes(await direct.text(), "process_open_fds");
  assertEquals(direct.status, 200);
});

Deno.test("/metrics: on Deno Deploy no address opens it", () => {
  const env = { ...deployEnv, TESSERA_SECRET: "a secret of tests" };
  assertEquals(loadConfig(env).metricsAccess, { isOpenToThisMachine: false });
  assertEquals(loadConfig({ ...env, TESSERA_METRICS_TOKEN: token }).metricsAccess, {
    token,
    isOpenToThisMachine: false,
  });
});

Deno.test("/metrics: the variable replaces the file's token, and a short one is refused", () => {
  const file = () => JSON.stringify({ metricsToken: "of-the-file-0123456789" });
  const env = { TESSERA_CONFIG: "x.jsonc" };
  assertEquals(loadConfig(env, file).metricsAccess.token, "of-the-file-0123456789");
  assertEquals(
    loadConfig({ ...env, TESSERA_METRICS_TOKEN: token }, file).metricsAccess.token,
    token,
  );
  for (const short of ["short", "0123456789abcde", "with a space in between"]) {
    assertThrows(
      () => loadConfig({ TESSERA_METRICS_TOKEN: short }),
      ConfigError,
      "TESSERA_METRICS_TOKEN must be a token of at least 16 printable characters",
    );
  }
});
