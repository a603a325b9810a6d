import { formatNames } from "../../canonical/mod.ts";
import { relayedEndpoints } from "../../formats/relayed/mod.ts";
import { type CalledEndpoint, calledEndpoint, type CalledWith } from "../../store/log/mod.ts";
import type { Catalog } from "../i18n/mod.ts";

/** Every endpoint that the log may contain, in display order. */
export const calledEndpoints: readonly CalledEndpoint[] = [
  ...formatNames,
  ...relayedEndpoints.map(({ operation }) => operation),
];

/** The name of each endpoint in the reader's language. */
export function endpointNames(
  { units, endpoints }: Pick<Catalog, "units" | "endpoints">,
): Readonly<Record<CalledEndpoint, string>> {
  return { ...units.formats, ...endpoints };
}

/** The name of a call's endpoint in the reader's language. */
export function endpointName(
  catalog: Pick<Catalog, "units" | "endpoints">,
  call: CalledWith,
): string {
  return endpointNames(catalog)[calledEndpoint(call)];
}
