import type { Caller } from "../accounts/authorize.ts";
import type { Decoded } from "../http/decode.ts";
import { Pace } from "../http/stream/pace.ts";
import { estimateLong } from "../ledger/mod.ts";

/** Estimates a long body's tokens before its reservation, which is made in one go. */
export async function ahead(caller: Caller, { text, wire }: Decoded): Promise<void> {
  if (text.length < longChars) return;
  const pace = new Pace();
  await pace.turn();
  await estimateLong(caller, wire.body, () => pace.giveWay());
  await pace.turn();
}

/** A shorter one takes a few milliseconds. */
const longChars = 512 * 1024;
