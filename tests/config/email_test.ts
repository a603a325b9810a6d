import { assert, assertEquals } from "@std/assert";
import { ConfigError, loadConfig } from "../../lib/config.ts";

const from = "tessera@example.com";

function fileEmail(email: unknown) {
  const file = JSON.stringify({ email });
  return loadConfig({ TESSERA_CONFIG: "tessera.jsonc", TESSERA_KV: ":memory:" }, () => file).email;
}

const urls = [
  ["smtp://smtp.example.com", { host: "smtp.example.com", port: 587, security: "starttls" }],
  ["smtps://[2001:db8::1]:2465", { host: "2001:db8::1", port: 2465, security: "tls" }],
  ["smtp+plain://localhost", { host: "localhost", port: 25, security: "none" }],
  ["smtp://a%40b.c:p%3A%2F@h", {
    host: "h",
    port: 587,
    security: "starttls",
    username: "a@b.c",
    password: "p:/",
  }],
] as const;

for (const [url, expected] of urls) {
  Deno.test(`config: TESSERA_SMTP_URL ${url}`, () => {
    const { email } = loadConfig({ TESSERA_SMTP_URL: url, TESSERA_SMTP_FROM: from });
    assertEquals(email, { ...expected, from });
  });
}

const wrong = [
  [
    { TESSERA_SMTP_URL: "https://h", TESSERA_SMTP_FROM: from },
    "TESSERA_SMTP_URL must be an address",
  ],
  [
    { TESSERA_SMTP_URL: "smtp://h/x", TESSERA_SMTP_FROM: from },
    "TESSERA_SMTP_URL must be an address",
  ],
  [{ TESSERA_SMTP_URL: "smtp://u:%@h", TESSERA_SMTP_FROM: from }, "TESSERA_SMTP_URL must be an"],
  [{ TESSERA_SMTP_URL: "smtp://user@h", TESSERA_SMTP_FROM: from }, "TESSERA_SMTP_URL"],
  [{ TESSERA_SMTP_URL: "smtp+plain://u:p@h.example", TESSERA_SMTP_FROM: from }, "TESSERA_SMTP_URL"],
  [{ TESSERA_SMTP_URL: "smtp://h" }, "TESSERA_SMTP_FROM must be set together with"],
  [{ TESSERA_SMTP_URL: "smtp://h", TESSERA_SMTP_FROM: "A <a@b.c>" }, "TESSERA_SMTP_FROM must be"],
] as const;

for (const [environment, expected] of wrong) {
  Deno.test(`config: ${JSON.stringify(environment)} is refused`, () => {
    const fault = faultOf(() => loadConfig(environment));
    assert(fault.includes(expected), fault);
  });
}

const wrongFiles = [
  [{ host: "a b", from }, "email.host must be a host name"],
  [{ host: "h", from: "a@b.c, d@e.f" }, "email.from must be an e-mail address"],
  [{ host: "h", from, username: "u" }, "email.password must be set together with username"],
  [{ host: "h", from, security: "none", username: "u", password: "p" }, "email.security must be"],
] as const;

for (const [email, expected] of wrongFiles) {
  Deno.test(`config: email ${JSON.stringify(email)} is refused`, () => {
    const fault = faultOf(() => fileEmail(email));
    assert(fault.includes(expected) && !fault.includes('"p"'), fault);
  });
}

Deno.test("config: the file's mail server takes precedence, with its usual port", () => {
  assertEquals(fileEmail({ host: "h.example", from, security: "tls" }), {
    ...{ host: "h.example", from, security: "tls", port: 465 },
  });
});

function faultOf(load: () => unknown): string {
  try {
    load();
  } catch (error) {
    assert(error instanceof ConfigError);
    return error.message;
  }
  return "nothing was refused";
}
