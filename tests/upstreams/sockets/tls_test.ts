import { assertEquals } from "@std/assert";

const root = new URL("../../..", import.meta.url).pathname;
const authority = { DENO_CERT: "tests/upstreams/certificates/authority.pem" };
const invalid = "Cannot reach the upstream: its certificate is invalid";

/** The report of the TLS program in a process with these variables. */
async function outcomesWith(env: Record<string, string>): Promise<Record<string, unknown>> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--config",
      "tests/deno.json",
      `${import.meta.dirname}/tls_program.ts`,
    ],
    cwd: root,
    env: { DENO_NO_UPDATE_CHECK: "1", ...env },
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("UpstreamSockets: TLS proves the name with the process's authorities", async () => {
  assertEquals(await outcomesWith(authority), {
    named: "over a WebSocket",
    misnamed: invalid,
    handshakes: 1,
    posts: 0,
    tunnels: [],
  });
  const { named, handshakes } = await outcomesWith({});
  assertEquals([named, handshakes], [invalid, 0]);
});

Deno.test("UpstreamSockets: connections use the proxy of the environment, which sees no certificate", async () => {
  const outcomes = await outcomesWith({ ...authority, PROXY: "1" });
  const tunnels = ["localhost as user:pass", "127.0.0.1 as user:pass", "127.0.0.1 as user:pass"];
  assertEquals(outcomes, {
    named: "over a WebSocket",
    misnamed: invalid,
    handshakes: 1,
    posts: 0,
    tunnels,
  });
  const direct = await outcomesWith({ ...authority, PROXY: "1", NO_PROXY: "localhost,127.0.0.1" });
  assertEquals([direct.named, direct.tunnels], ["over a WebSocket", []]);
});
