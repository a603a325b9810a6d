import { assert, assertEquals, assertThrows } from "@std/assert";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { checkedCredential } from "../../../lib/upstreams/credentials/mod.ts";
import { readCredentialSource } from "../../../lib/upstreams/credentials/source.ts";

/** Credentials that somebody pasted wrongly: none may go out as a bearer token, and no fault shows it. */

const secret = "s3cret-of-the-file";
const account = {
  type: "service_account",
  client_email: "a@b.iam.gserviceaccount.com",
  private_key: secret,
};
const whole = JSON.stringify(account);

for (
  const [name, entered] of Object.entries({
    "cut in the middle": whole.slice(0, -20),
    "cut at the end": whole.slice(0, -1),
    "with a comma too many": whole.replace("}", ",}"),
    "with its quotes replaced": whole.replaceAll('"', "“"),
    "of an unknown type": JSON.stringify({ ...account, type: "impersonated_service_account" }),
    "without a type": JSON.stringify({ private_key: secret }),
    "in a list": `[${whole}]`,
    "of one megabyte": JSON.stringify({ ...account, more: "x".repeat(1_000_000) }),
    "with a key of one megabyte": JSON.stringify({
      ...account,
      private_key: secret.repeat(60_000),
    }),
    "with a key that is an object": JSON.stringify({ ...account, private_key: { secret } }),
    "twice": whole + whole,
  })
) {
  Deno.test(`a service account ${name} is refused, and not quoted`, () => {
    const checked = checkedCredential(entered);
    assert("fault" in checked, JSON.stringify(checked).slice(0, 200));
    assert(!checked.fault.includes("s3cret"), checked.fault);
  });
  Deno.test(`a stored service account ${name} is not sent as it is`, () => {
    if (name.includes("megabyte")) return; // no store takes it
    const error = assertThrows(() => readCredentialSource(entered), GatewayError);
    assertEquals(error.code, "upstream_unauthorized");
    assert(!JSON.stringify([error.message, error.said]).includes("s3cret"));
  });
}

for (
  const source of [
    { type: "aws_machine", roleArn: "arn:aws:iam::1:role/a\nHost: evil.example" },
    { type: "aws_machine", region: "us-east-1.evil.example/" },
    { type: "aws_machine", region: "../x" },
    { type: "aws_machine", stsEndpoint: "file:///etc/passwd" },
    { type: "aws_machine", stsEndpoint: "https://user:word@evil.example" },
    { type: "entra", tenantId: "a/../../b" },
    { type: "entra", tenantId: ".." },
    { type: "entra", tenantId: "t?x=1" },
    { type: "entra", authority: "javascript:alert(1)" },
    { type: "google_metadata", serviceAccount: ".." },
    { type: "google_metadata", serviceAccount: "../../x" },
  ]
) {
  Deno.test(`a source cannot leave its address: ${JSON.stringify(source)}`, () => {
    assert("fault" in checkedCredential(JSON.stringify(source)));
  });
}
