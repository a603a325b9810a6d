import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { newApiKeySecret, shownParts } from "../../lib/accounts/mod.ts";
import { digestOf } from "../../lib/store/kv/digest.ts";

Deno.test("newApiKeySecret makes sk- secrets of 166 random bits whose checksum holds", () => {
  const secrets = Array.from({ length: 500 }, newApiKeySecret);
  assertEquals(new Set(secrets).size, 500);
  for (const secret of secrets) {
    assertMatch(secret, /^sk-[0-9A-Za-z]{34}$/);
    assertEquals(secret.slice(31), base62OfCrc(secret.slice(3, 31)));
  }
  const characters = new Set(secrets.flatMap((secret) => [...secret.slice(3, 31)]));
  assertEquals(characters.size, 62);
});

/** CRC-32 bit by bit, as RFC 1952 defines it, and base62 by division. */
function base62OfCrc(text: string): string {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = "";
  for (let place = 0; place < 6; place++) {
    const digit = rest % 62;
    digits = String.fromCharCode(digit < 10 ? 48 + digit : digit < 36 ? 55 + digit : 61 + digit) +
      digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

Deno.test("digestOf is SHA-256 in hexadecimal", () => {
  assertEquals(digestOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assertNotEquals(digestOf("abd"), digestOf("abc"));
});

Deno.test("shownParts shows the first six and the last four characters", () => {
  assertEquals(shownParts("sk-abcdefghijkl"), { prefix: "sk-abc", lastFour: "ijkl" });
});
