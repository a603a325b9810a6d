import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  formatNames,
  openContinuation,
  sealContinuation,
  sealedState,
} from "../../lib/canonical/mod.ts";

Deno.test("a proof comes home unharmed through a carrier of any format", () => {
  const proof = fc.record({
    issuer: fc.constantFrom(...formatNames),
    data: fc.string({ unit: "binary" }).filter((data) => !data.startsWith("tsr1.")),
    itemId: fc.option(fc.string(), { nil: undefined }),
  });
  fc.assert(
    fc.property(proof, fc.constantFrom(...formatNames), ({ issuer, data, itemId }, carrier) => {
      const continuation = itemId === undefined ? { issuer, data } : { issuer, data, itemId };
      const sealed = sealContinuation(carrier, continuation);
      const carried = issuer === carrier ? itemId : undefined; // its own carrier keeps the item's id beside it
      assertEquals(openContinuation(carrier, sealed, carried), continuation);
      assertEquals(sealedState.test(JSON.stringify({ signature: sealed })), issuer !== carrier);
    }),
  );
});

Deno.test("sealedState matches a sealed proof that a format carries as base64", () => {
  const sealed = sealContinuation("generate-content", { issuer: "messages", data: "sig" });
  assert(sealedState.test(JSON.stringify({ thoughtSignature: btoa(sealed) })));
  assertEquals(sealedState.test('{"thoughtSignature":"EqsFabc"}'), false);
});

for (
  const sealed of [
    "tsr1.",
    "tsr1.messages",
    "tsr1.messages.!!!",
    "tsr1.nobody.e30",
    "tsr1.messages.e30",
    `tsr1.messages.${btoa("[1]")}`,
  ]
) {
  Deno.test(`openContinuation leaves out ${sealed}, which belongs to nobody`, () => {
    assertEquals(openContinuation("messages", sealed), undefined);
  });
}
