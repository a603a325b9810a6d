import { assertEquals } from "@std/assert";

const root = new URL("../../..", import.meta.url).pathname;
const here = "tests/upstreams/http1";

/** The outcomes of the TLS program in a process with these certificate settings. */
async function outcomesWith(env: Readonly<Record<string, string>>): Promise<unknown> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `${here}/tls_program.ts`],
    cwd: root,
    env,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("http1: TLS proves the name at the checked address, with the process's authorities", async () => {
  assertEquals(await outcomesWith({ DENO_CERT: `${here}/certificates/authority.pem` }), {
    named: "hi",
    again: "hi",
    connections: 1,
    misnamed: "certificate",
    both: "over HTTP/2",
  });
});

Deno.test("http1: TLS without the authority of the certificate is refused", async () => {
  assertEquals(await outcomesWith({}), {
    named: "certificate",
    again: "certificate",
    connections: 2,
    misnamed: "certificate",
    both: "certificate",
  });
});
