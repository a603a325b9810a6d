import type { Caller } from "../accounts/authorize.ts";
import type { Admission } from "../http/body/body.ts";
import type { Call } from "../http/call.ts";
import type { GatewayDeps } from "./dependencies.ts";

/** A call whose caller is known, and whose body is still to be read. */
export interface Called {
  readonly call: Call;
  readonly caller: Caller;
  readonly gateway: GatewayDeps;
}

/**
 * Admits a call's body: a large one only of a caller who has room for a call, and only as fast as
 * there is memory for it, which it holds until its answer is out. Throws `insufficient_quota`,
 * `rate_limit_exceeded` or `gateway_overloaded`.
 */
export function admissionOf({ call, caller, gateway }: Called): Admission {
  const { bodies, limits } = gateway;
  const place = bodies.place(caller.key.accountId);
  const { completed } = call;
  completed?.then(place.release, place.release);
  let isFunded = false;
  const fund = (bytes: number) => {
    if (isFunded || bytes <= limits.unfundedBodyBytesMax) return undefined;
    isFunded = true;
    return assertRoom({ call, caller, gateway });
  };
  return {
    take: (bytes) => {
      const checked = fund(bytes);
      const grow = () => completed && place.grow(bytes); // a call of the console is bounded by its form
      return checked ? checked.then(grow) : grow();
    },
  };
}

/** Refuses a caller who has no room for even the smallest call that costs something; holds nothing afterwards. */
async function assertRoom({ call, caller, gateway: { ledger } }: Called): Promise<void> {
  const smallest = { caller, model: "", boundNanoUsd: 1n, leastNanoUsd: 1n, tokens: 1 };
  ledger.release(await ledger.reserve(smallest, call.signal));
}
