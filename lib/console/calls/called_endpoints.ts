import { formatNames } from "../../canonical/mod.ts";
import { relayedEndpoints } from "../../formats/relayed/mod.ts";
import { type CalledEndpoint, calledEndpoint, type CalledWith } from "../../store/log/mod.ts";
import type { Catalog } from "../i18n/mod.ts";

/** Every endpoint that the log tells calls of, in the order to show them in. */
export const calledEndpoints: readonly CalledEndpoint[] = [
  ...formatNames,
  ...relayedEndpoints.map(({ operation }) => operation),
];

/** What a reader calls each of them. */
export function endpointNames(
  { units, endpoints }: Pick<Catalog, "units" | "endpoints">,
): Readonly<Record<CalledEndpoint, string>> {
  return { ...units.formats, ...endpoints };
}

/** What a reader calls the endpoint of a call. */
export function endpointName(
  catalog: Pick<Catalog, "units" | "endpoints">,
  call: CalledWith,
): string {
  return endpointNames(catalog)[calledEndpoint(call)];
}
