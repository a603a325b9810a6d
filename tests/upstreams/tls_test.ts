import { assertEquals } from "@std/assert";

const root = new URL("../..", import.meta.url).pathname;
const here = "tests/upstreams";

/** The outcomes of the TLS program in a process with these certificate settings. */
async function outcomesWith(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `${here}/tls_program.ts`, ...args],
    cwd: root,
    env,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/**
 * Clients with a name of the certificate (`fetch` looks names up itself), and their connections for
 * two calls each, to a server of both versions and to one of HTTP/2 alone. Before its first call,
 * `fetch` connects once to check the address; a refused handshake is not repeated.
 */
const clients = [
  { client: "http1", name: "api.acme.test", connections: 1, http2OnlyConnections: 4 },
  { client: "fetch", name: "localhost", connections: 2, http2OnlyConnections: 3 },
] as const;

for (const { client, name, connections, http2OnlyConnections } of clients) {
  const args = [client, name];

  Deno.test(`${client}: TLS proves the name with the process's authorities, and a call is not delayed`, async () => {
    const authority = { DENO_CERT: `${here}/certificates/authority.pem` };
    assertEquals(await outcomesWith(args, authority), {
      named: "hi",
      again: "hi",
      misnamed: "certificate",
      connections,
      both: "HTTP/1.1",
      isDelayed: false,
      http2Only: "HTTP/2.0",
      http2OnlyAgain: "HTTP/2.0",
      http2OnlyConnections,
    });
  });

  Deno.test(`${client}: TLS without the authority of the certificate is refused`, async () => {
    const outcomes = await outcomesWith(args, {});
    const refused = ["named", "again", "misnamed", "both", "http2Only", "http2OnlyAgain"];
    for (const call of refused) assertEquals(outcomes[call], "certificate", call);
  });
}
