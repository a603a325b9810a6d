import type { UpstreamRecord } from "../../lib/store/catalog/mod.ts";
import { AddressError, type AddressRule, assertUpstreamAddress } from "../../lib/upstreams/mod.ts";

/** The upstreams, and a line for each address that cannot be called now. */
export interface CheckedUpstreams {
  readonly upstreams: readonly UpstreamRecord[];
  readonly notices: readonly string[];
}

/**
 * Applies the rule that the console's form applies to addresses. An upstream whose address is not
 * allowed is disabled instead of refused; one whose name does not resolve now is only reported.
 */
export async function checkAddresses(
  upstreams: readonly UpstreamRecord[],
  rule: AddressRule,
): Promise<CheckedUpstreams> {
  const faults = new Map<string, Promise<AddressError | undefined>>();
  const faultOf = (url: string) => {
    const fault = faults.get(url) ?? addressFault(url, rule);
    faults.set(url, fault);
    return fault;
  };
  const checked = await Promise.all(upstreams.map(async (upstream) => {
    const found = await Promise.all(Object.values(upstream.endpoints).map(faultOf));
    return { upstream, fault: found.find((one) => one !== undefined) };
  }));
  return {
    upstreams: checked.map(({ upstream, fault }) =>
      fault && !fault.isUnknown ? { ...upstream, enabled: false } : upstream
    ),
    notices: checked.flatMap(({ upstream: { id }, fault }) =>
      fault === undefined ? [] : [`${id}${fault.isUnknown ? "" : " is disabled"}: ${fault.message}`]
    ),
  };
}

async function addressFault(url: string, rule: AddressRule): Promise<AddressError | undefined> {
  try {
    await assertUpstreamAddress(url, rule);
    return undefined;
  } catch (error) {
    if (error instanceof AddressError) return error;
    throw error;
  }
}
