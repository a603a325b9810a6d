import type { FormatName } from "../../canonical/mod.ts";
import type { Dialect } from "../../formats/dialect.ts";
import type { UpstreamAuth } from "../../store/catalog/mod.ts";

/** What is known of a vendor, or of a server that one runs oneself: enough to call it with a key alone. */
export interface Preset {
  /** As the vendor writes it. */
  readonly name: string;
  /** What all its addresses begin with, without trailing slash; absent where every customer has one of his own. */
  readonly baseUrl?: string;
  /** What such an address looks like, where `baseUrl` is absent. */
  readonly baseUrlExample?: string;
  /** What follows `baseUrl` in the base URL of each format that it speaks. */
  readonly paths: Readonly<Partial<Record<FormatName, string>>>;
  /** Where its endpoints beside the formats are, if not behind the base URL of a format: what follows that of one. */
  readonly relayed?: { readonly format: FormatName; readonly path: string };
  /** The header of the credential, where it is another than the format's own. */
  readonly auth?: UpstreamAuth;
  /** Patterns of its models' names; absent where they follow no rule, so that it takes all that nobody knows better. */
  readonly models?: readonly string[];
  /** False where it lists other names than those that it is called by. */
  readonly listsOwnNames?: false;
  /** Whether it answers nobody without a key. */
  readonly needsKey: boolean;
  /** Where its keys are made. */
  readonly keysUrl?: string;
  /** How its form of a format differs from the format's own. Applied where a request is converted. */
  readonly dialects?: Readonly<Partial<Record<FormatName, Dialect>>>;
  /** What else whoever adds it should know: a sentence without a full stop. */
  readonly remark?: string;
}
