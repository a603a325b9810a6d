import { type CalledEndpoint, calledEndpoint, type CalledWith } from "../../store/log/mod.ts";
import type { Catalog } from "../i18n/mod.ts";

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
