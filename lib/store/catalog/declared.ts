import type { ApiKey } from "../api_keys/api_key.ts";
import type { Bounds } from "../money/budget.ts";
import type { Group } from "./group.ts";
import type { Model } from "./model.ts";
import type { UpstreamRecord } from "./upstream.ts";

/** The records that the configuration declares. `applyConfig` makes the store hold exactly these. */
export interface DeclaredRecords {
  readonly upstreams: readonly DeclaredUpstream[];
  readonly models: readonly DeclaredModel[];
  readonly groups: readonly DeclaredGroup[];
  readonly keys: readonly DeclaredKey[];
  /** The first administrator, created at the first start. */
  readonly administrator?: { readonly email: string; readonly password: string };
  readonly limits?: { readonly setupLinkHours: number };
}

export type DeclaredUpstream = Omit<UpstreamRecord, "origin" | "credentialsFault">;
type DeclaredModel = Omit<Model, "origin" | "createdAtMs">;
export type DeclaredGroup = Omit<Group, "origin">;

/** An API key of the first administrator's account. Its name is its identity. */
export interface DeclaredKey extends
  Pick<
    ApiKey,
    keyof Bounds | "name" | "groupId" | "enabled" | "expiresAtMs" | "models" | "ipAllowList"
  > {
  readonly value: string;
}
