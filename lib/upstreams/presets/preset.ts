import type { FormatName } from "../../canonical/mod.ts";
import type { Dialect } from "../../formats/codec.ts";
import type { UpstreamAuth } from "../../store/catalog/mod.ts";

/** The facts about a vendor or a self-hosted server, so that a key is enough to call it. */
export interface Preset {
  /** The vendor's own spelling. */
  readonly name: string;
  /** The common base without trailing slash; absent if every customer has a separate address. */
  readonly baseUrl?: string;
  /** An example address, if `baseUrl` is absent. */
  readonly baseUrlExample?: string;
  /** The path after `baseUrl` for each supported format. */
  readonly paths: Readonly<Partial<Record<FormatName, string>>>;
  /** The base URL of relayed endpoints, if it differs: a format's base URL with `path` appended. */
  readonly relayed?: { readonly format: FormatName; readonly path: string };
  /** The header of the credential, if it differs from the format's own. */
  readonly auth?: UpstreamAuth;
  /** Patterns of its model names; absent: a fallback for names that no other preset knows. */
  readonly models?: readonly string[];
  /** False if the listed model names differ from the callable ones. */
  readonly listsOwnNames?: false;
  readonly needsKey: boolean;
  readonly keysUrl?: string;
  /** The format of this vendor, whose own members it knows and whose histories it compacts. */
  readonly vendorOf?: FormatName;
  /** Its dialects of the formats, applied to converted requests. */
  readonly dialects?: Readonly<Partial<Record<FormatName, Dialect>>>;
}
