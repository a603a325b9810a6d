import { assertEquals } from "@std/assert";
import { shortEmail } from "../../../lib/console/page/format.ts";

for (
  const [email, reader, expected] of [
    ["mira@example.com", "owner@example.com", "mira"],
    ["mira@sub.example.com", "owner@example.com", "mira@sub.example.com"],
    ["mira@other.com", "owner@example.com", "mira@other.com"],
    ["usr_gone", "owner@example.com", "usr_gone"],
    ["mira@example.com", "system", "mira@example.com"],
    ["team", "m", "team"],
    ["mira@example.com", "", "mira@example.com"],
  ]
) {
  Deno.test(`shortEmail: ${email} for the reader "${reader}"`, () => {
    assertEquals(shortEmail(email, { email: reader }), expected);
  });
}
