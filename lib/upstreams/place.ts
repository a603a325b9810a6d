import { BoundedMap } from "../bounded_map.ts";
import type { Origin } from "../store/mod.ts";
import type { AddressRule } from "./address.ts";

/** The URL to call, and the origin of its address: configuration or console. */
export interface Destination {
  readonly url: string;
  readonly origin: Origin;
}

/** A destination, parsed. */
export interface Place {
  readonly target: URL;
  /** True if the address of the host needs no check. */
  readonly isTrusted: boolean;
  /** The key of what is known of the host: separate for trusted and for checked calls. */
  readonly host: string;
}

/** The most remembered URLs, far more than upstreams have. */
const placesMax = 1_000;

/** Returns a function that parses each distinct destination once. */
export function createPlaces(rule: AddressRule): (destination: Destination) => Place {
  const trusted = new BoundedMap<string, Place>(placesMax);
  const checked = new BoundedMap<string, Place>(placesMax);
  return ({ url, origin }) => {
    const isTrusted = origin === "config" || rule.allowsPrivate;
    return (isTrusted ? trusted : checked).getOrInsert(url, () => placeAt(url, isTrusted));
  };
}

function placeAt(url: string, isTrusted: boolean): Place {
  const target = new URL(url);
  return { target, isTrusted, host: `${isTrusted ? "" : "checked "}${target.origin}` };
}

/** The port of a URL, or its scheme's. */
export function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === "https:" ? 443 : 80));
}
