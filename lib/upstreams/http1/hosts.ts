import { BoundedMap } from "../../bounded_map.ts";
import { type AddressRule, allowedAddresses, bareHostname, type Lookup } from "../address.ts";
import { unlessAborted } from "../unless_aborted.ts";

/** The lifetime of a check of a host's addresses. */
const freshMs = 30_000;
/** The most remembered hosts, far more than there are upstreams. */
const hostsMax = 1_000;

interface Checked {
  readonly freshUntil: number;
  readonly addresses: readonly string[];
}

interface HostsOptions {
  readonly rule: AddressRule;
  readonly lookup: Lookup;
  readonly now: () => number;
  /** Receives the addresses of each check. */
  readonly onChecked: (host: string, addresses: readonly string[]) => void;
}

/** The allowed addresses of hosts, checked at most every 30 seconds. */
export class Hosts {
  readonly #options: HostsOptions;
  readonly #checked = new BoundedMap<string, Checked>(hostsMax);

  constructor(options: HostsOptions) {
    this.#options = options;
  }

  /** Throws `AddressError` if any address is forbidden. `waiting` is called if a check takes time. */
  async addressesOf(
    host: string,
    target: URL,
    waiting: () => AbortSignal,
  ): Promise<readonly string[]> {
    const { rule, lookup, now, onChecked } = this.#options;
    const known = this.#checked.get(host);
    if (known && known.freshUntil > now()) return known.addresses;
    const addresses = await unlessAborted(waiting(), allowedAddresses(target, rule, lookup));
    this.#checked.set(host, { freshUntil: now() + freshMs, addresses });
    onChecked(host, addresses);
    return addresses;
  }

  /** True if the address may still be called. */
  allows(host: string, address: string): boolean {
    return this.#checked.get(host)?.addresses.includes(address) ?? false;
  }

  forget(host: string): void {
    this.#checked.delete(host);
  }
}

/** The name that the operating system resolves for a host that needs no check. */
export function nameOf(target: URL): readonly string[] {
  return [bareHostname(target)];
}
