import { assertStringIncludes } from "@std/assert";
import { testConsole, textOf } from "../console.ts";
import { administrator } from "../people.ts";
import { addCall } from "../records.ts";
import { callIdAt } from "./call_id.ts";

testConsole(
  "call: the lines of the charge say which tier and which part they are for",
  async (console) => {
    const at = callIdAt(60_000, 1);
    await addCall(console.store, {
      ...at,
      upstreamId: "acme",
      costNanoUsd: 12_000_000n,
      costLines: [
        { bucket: "inputTokens", quantity: 1_000, nanoUsd: 8_000_000n, tier: "fast us" },
        { bucket: "inputTokens", quantity: 1_000, nanoUsd: 4_000_000n, part: "compaction" },
      ],
    });
    const browser = await console.signedIn(administrator);
    const text = textOf((await browser.get(`/console/log/${at.id}`)).html);
    assertStringIncludes(text, "Input, uncached, fast us");
    assertStringIncludes(text, "Input, uncached, compaction");
  },
);
