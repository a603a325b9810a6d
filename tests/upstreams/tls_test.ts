import { assertEquals } from "@std/assert";

const root = new URL("../..", import.meta.url).pathname;
const here = "tests/upstreams";

/** The outcomes of the TLS program in a process with these certificate settings. */
async function outcomesWith(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `${here}/tls_program.ts`, ...args],
    cwd: root,
    env,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Clients with a name of the certificate: `fetch` looks names up itself. */
const clients = [["http1", "api.acme.test"], ["fetch", "localhost"]] as const;

for (const args of clients) {
  const [client] = args;

  Deno.test(`${client}: TLS proves the name with the process's authorities, and a call is not delayed`, async () => {
    const authority = { DENO_CERT: `${here}/certificates/authority.pem` };
    assertEquals(await outcomesWith(args, authority), {
      named: "hi",
      again: "hi",
      misnamed: "certificate",
      both: "HTTP/1.1",
      isDelayed: false,
      http2Only: "HTTP/2.0",
      http2OnlyAgain: "HTTP/2.0",
    });
  });

  Deno.test(`${client}: TLS without the authority of the certificate is refused`, async () => {
    assertEquals(await outcomesWith(args, {}), {
      named: "certificate",
      again: "certificate",
      misnamed: "certificate",
      both: "certificate",
      isDelayed: false,
      http2Only: "certificate",
      http2OnlyAgain: "certificate",
    });
  });
}
