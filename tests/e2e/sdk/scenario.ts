import { assertEquals } from "@std/assert";
import type { FormatName } from "../../../lib/canonical/mod.ts";
import type { SdkAnswer } from "./matrix.ts";
import { weatherTool } from "./matrix_request.ts";
import type { Stage } from "./pair.ts";

/** One use of an SDK, on every upstream unless it says otherwise. */
export interface Scenario {
  readonly name: string;
  /** The SDKs' formats, where others have no means for it. */
  readonly callers?: readonly FormatName[];
  /** The upstreams' formats, where others have no means for it. */
  readonly upstreams?: readonly FormatName[];
  /** True if it needs the vendor's own SDK of TypeScript: the programs do not go that far. */
  readonly vendorsOwn?: boolean;
  /** True if its streams end early. */
  readonly cut?: boolean;
  /** True if it puts its upstream out of use, so that no other scenario may follow there. */
  readonly spoils?: boolean;
  /** True if it needs a program of its own, for SDKs that are programs. */
  readonly alone?: boolean;
  readonly run: (stage: Stage) => Promise<void>;
}

export const whole = { stream: false };
export const streamed = { stream: true };

/** A question that the small model answers with a call, and one that it answers with two at once. */
export const oslo = `call ${weatherTool.name} {"city":"Oslo"}`;
export const both = `${oslo}\ncall ${weatherTool.name} {"city":"Rome","days":2}`;

export function assertCalls({ calls, finish }: SdkAnswer, args: readonly unknown[]): void {
  assertEquals(calls, args.map((one) => ({ name: weatherTool.name, args: one })));
  assertEquals(finish, "tools");
}

export async function eachWay(run: (way: { stream: boolean }) => Promise<void>): Promise<void> {
  for (const way of [whole, streamed]) await run(way);
}
