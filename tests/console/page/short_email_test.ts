import { assertEquals } from "@std/assert";
import { shortEmail } from "../../../lib/console/page/short_email.ts";

for (
  const [email, expected] of [
    ["mira@example.com", "mira"],
    ["mira@sub.example.com", "mira@sub.example.com"],
    ["mira@other.com", "mira@other.com"],
    ["usr_gone", "usr_gone"],
  ]
) {
  Deno.test(`shortEmail: ${email} for a reader of example.com`, () => {
    assertEquals(shortEmail(email, { email: "owner@example.com" }), expected);
  });
}
