import type { Caller } from "../accounts/authorize.ts";
import type { Admission } from "../http/body/body.ts";
import type { Call } from "../http/call.ts";
import type { GatewayDeps } from "./dependencies.ts";

/** A call with a known caller, whose body has not been read yet. */
export interface Called {
  readonly call: Call;
  readonly caller: Caller;
  readonly gateway: GatewayDeps;
}

/**
 * Admits a call's body in parts. A large body needs a caller whose limits leave room for a call,
 * and waits for memory, which it holds until the answer ends. Throws `insufficient_quota`,
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
      const grow = () => completed && place.grow(bytes); // a console call's body is bounded by its form
      return checked ? checked.then(grow) : grow();
    },
  };
}

/**
 * Refuses a caller whose limits leave no room for the cheapest possible call. Keeps no reservation.
 */
async function assertRoom({ call, caller, gateway: { ledger } }: Called): Promise<void> {
  const smallest = { caller, model: "", boundNanoUsd: 1n, leastNanoUsd: 1n, tokens: 1 };
  ledger.release(await ledger.reserve(smallest, call.signal));
}
