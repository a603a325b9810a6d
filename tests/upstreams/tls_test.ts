import { assertEquals } from "@std/assert";

const root = new URL("../..", import.meta.url).pathname;
const here = "tests/upstreams";

/** The outcomes of the TLS program in a process with these certificate settings. */
async function outcomesWith(
  env: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `${here}/tls_program.ts`],
    cwd: root,
    env,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("send: TLS proves the name with the process's authorities, and a call is not delayed", async () => {
  assertEquals(await outcomesWith({ DENO_CERT: `${here}/certificates/authority.pem` }), {
    named: "hi",
    again: "hi",
    misnamed: "certificate",
    connections: 2, // the first checks the address
    both: "HTTP/1.1",
    isDelayed: false,
    http2Only: "HTTP/2.0",
    http2OnlyAgain: "HTTP/2.0",
    http2OnlyConnections: 3, // a check, and a refused handshake, which is not repeated
  });
});

Deno.test("send: TLS without the authority of the certificate is refused", async () => {
  const outcomes = await outcomesWith({});
  const refused = ["named", "again", "misnamed", "both", "http2Only", "http2OnlyAgain"];
  for (const call of refused) assertEquals(outcomes[call], "certificate", call);
});
