import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Mail, sendMail } from "../../lib/mail/transport.ts";
import type { MailServer } from "../../lib/store/mail/mod.ts";
import {
  type FakeSmtp,
  headerOf,
  partOf,
  password,
  startSmtp,
  trustedCertificate,
} from "./fake_smtp.ts";

const mail: Mail = {
  to: "mira@example.com",
  sender: "Acme 网关",
  subject: "Grüße 你好",
  text: "Hello 你好",
  html: "<p>Hello 你好</p>",
};

function serverAt(port: number, fields: Partial<MailServer> = {}): MailServer {
  return { host: "127.0.0.1", port, security: "none", from: "tessera@example.com", ...fields };
}

async function outcomeOf(
  server: MailServer,
  sent: Partial<Mail> = {},
  { timeoutMs = 2_000, rule }: {
    timeoutMs?: number;
    rule?: { allowsPrivate: boolean; allowsLoopback: boolean };
  } = {},
): Promise<string> {
  const { signal } = new AbortController();
  const options = { id: "mail_1", timeoutMs, signal };
  const outcome = await sendMail({ server, rule }, { ...mail, ...sent }, options);
  if (outcome.type !== "failed") return outcome.type;
  const { fault, status, isPermanent, isOfMail } = outcome.failure;
  return [fault, status, isPermanent && "permanent", isOfMail && "mail"].filter(Boolean).join(" ");
}

const folder = await Deno.makeTempDir();
const certificate = await trustedCertificate(folder);
addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));

Deno.test("mail: a mail arrives whole, in both forms and any script", async () => {
  await using smtp = await startSmtp();
  assertEquals(await outcomeOf(serverAt(smtp.port)), "accepted");
  const [received] = smtp.mails;
  assertEquals([received.from, received.to], ["tessera@example.com", ["mira@example.com"]]);
  assertEquals(headerOf(received, "subject"), "Grüße 你好");
  assertMatch(headerOf(received, "from"), /Acme 网关.*<tessera@example\.com>/);
  assertEquals(headerOf(received, "message-id"), "<mail_1@example.com>");
  assertEquals(partOf(received, "text/plain").trim(), "Hello 你好");
  assertEquals(partOf(received, "text/html").trim(), "<p>Hello 你好</p>");
});

for (const security of ["starttls", "tls"] as const) {
  Deno.test({
    name: `mail: ${security} with a password, over a trusted certificate only`,
    ignore: certificate === undefined,
    fn: async () => {
      await using smtp = await startSmtp({ security, user: "gateway", certificate });
      const server = serverAt(smtp.port, {
        ...{ host: "localhost", security, username: "gateway", password },
      });
      assertEquals(await outcomeOf(server), "accepted");
      assertEquals([smtp.mails[0].isSecure, smtp.mails[0].user], [true, "gateway"]);
      assertEquals(await outcomeOf({ ...server, password: "wrong" }), "authentication 535");
      await using untrusted = await startSmtp({ security, user: "gateway" });
      assertEquals(await outcomeOf({ ...server, port: untrusted.port }), "certificate");
      assertEquals(await outcomeOf({ ...server, host: "127.0.0.1" }), "certificate");
      assertEquals(untrusted.mails, []);
    },
  });
}

Deno.test("mail: STARTTLS that the server does not offer sends no password", async () => {
  await using smtp = await startSmtp({ user: "gateway" });
  const server = serverAt(smtp.port, { username: "gateway", password });
  assertMatch(await outcomeOf({ ...server, security: "starttls" }), /^no_tls/);
  assertEquals(await outcomeOf({ ...server, security: "tls" }), "no_tls");
  assertEquals(smtp.mails, []);
});

Deno.test("mail: each refusal has its fault; 4xx is retried, 5xx is not", async () => {
  await using smtp = await startSmtp();
  const server = serverAt(smtp.port);
  smtp.refusesRecipient = () => 550;
  assertEquals(await outcomeOf(server), "recipient 550 permanent mail");
  smtp.refusesRecipient = () => 451;
  assertEquals(await outcomeOf(server), "recipient 451 mail");
  smtp.refusesSender = () => 553;
  assertEquals(await outcomeOf(server), "sender 553");
  assertEquals(await outcomeOf(serverAt(1)), "connection_refused");
  assertEquals(await outcomeOf({ ...server, host: "mail.invalid" }), "name_not_found");
  const rule = { allowsPrivate: false, allowsLoopback: false };
  assertEquals(await outcomeOf(server, {}, { rule }), "address_forbidden");
  assertEquals(smtp.mails, []);
});

Deno.test("mail: a server that is silent or slow ends within the time of all steps together", async () => {
  using silent = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const accepted: Deno.Conn[] = [];
  const accepting = (async () => {
    for await (const connection of silent) accepted.push(connection);
  })();
  const { port } = silent.addr as Deno.NetAddr;
  assertEquals(await outcomeOf(serverAt(port), {}, { timeoutMs: 100 }), "timeout");
  for (const connection of accepted) connection.close();
  silent.close();
  await accepting;
  await using slow = await startSmtp();
  const held = Promise.withResolvers<void>();
  slow.beforeAccept = () => held.promise;
  const startedAt = performance.now();
  assertEquals(await outcomeOf(serverAt(slow.port), {}, { timeoutMs: 200 }), "timeout");
  assert(performance.now() - startedAt < 1_500);
  held.resolve();
});

Deno.test("mail: names and addresses cannot add a header or a recipient", async () => {
  await using smtp = await startSmtp();
  const server = serverAt(smtp.port);
  const evil = "A\r\nBcc: evil@example.com\r\nX-Evil: 1";
  await outcomeOf(server, { sender: evil, subject: evil });
  await outcomeOf(server, { to: "mira@example.com\r\nBcc: evil@example.com" });
  await outcomeOf(server, { to: "mira@example.com, evil@example.com" });
  await outcomeOf(server, { to: "mira@example.com> RCPT TO:<evil@example.com" });
  assert(smtp.mails.length > 0);
  for (const received of smtp.mails) {
    assertNoHeader(received);
    assert(!received.to.includes("evil@example.com"), received.to.join());
  }
});

function assertNoHeader(received: FakeSmtp["mails"][number]): void {
  const head = received.raw.split("\r\n\r\n")[0];
  assert(!/^(bcc|x-evil):/im.test(head), head);
}

Deno.test("mail: a server that answers without an end is left after the time of all steps", async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr as Deno.NetAddr;
  const dripping = (async () => {
    using connection = await listener.accept();
    const write = (text: string) => connection.write(new TextEncoder().encode(text));
    await write("220 drip\r\n");
    await connection.read(new Uint8Array(100));
    while (await write("250-more\r\n").catch(() => undefined)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const startedAt = performance.now();
  assertEquals(await outcomeOf(serverAt(port), {}, { timeoutMs: 200 }), "timeout");
  assert(performance.now() - startedAt < 1_000);
  await dripping;
});
