import { adminScopes, permits } from "../../accounts/mod.ts";
import type { Role } from "../../store/users/mod.ts";
import type { FormFaults } from "../../admin/fault_text.ts";
import type { FaultCode } from "../../admin/faults.ts";
import { addressList, endOfDay, expiryFrom, keyName, words } from "../../admin/keys/key_rules.ts";
import { tokenScopes, type TokenSettings } from "../../admin/tokens.ts";

/** The scopes that a token of a user with the role may have, in the order of the form. */
export function tokenScopesOf(role: Role): readonly string[] {
  return adminScopes.filter((scope) => permits(role, scope));
}

/** The values of the form as they were entered. */
export interface TokenValues {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Such as `2027-01-31`; empty if the token never expires. */
  readonly date: string;
  readonly addresses: string;
}

type TokenField = keyof TokenValues;

export type TokenFaults = FormFaults<TokenField, FaultCode<"token">>;

const textLengthMax = 10_000;

/** Scopes beyond the role count as not chosen. */
export function readTokenForm(form: URLSearchParams, role: Role): TokenValues {
  const text = (name: TokenField) => (form.get(name) ?? "").trim().slice(0, textLengthMax);
  return {
    name: text("name"),
    scopes: tokenScopesOf(role).filter((scope) => form.getAll("scopes").includes(scope)),
    date: text("date"),
    addresses: text("addresses"),
  };
}

type TokenFormResult =
  | { readonly type: "valid"; readonly settings: TokenSettings }
  | { readonly type: "invalid"; readonly faults: TokenFaults };

/** The settings that the form describes, or the faults of its fields. */
export function tokenSettingsOf(values: TokenValues, nowMs: number): TokenFormResult {
  const parsed = {
    name: keyName.safeParse(values.name),
    scopes: tokenScopes.safeParse(values.scopes),
    date: expiryFrom(nowMs).optional().safeParse(dateOf(values)),
    addresses: words(/[\s,]+/).pipe(addressList).safeParse(values.addresses),
  };
  const faults = Object.entries(parsed).filter(([, { success }]) => !success)
    .map(([field, { error }]) => [field, field === "scopes" ? field : error?.issues[0].message]);
  if (faults.length > 0) return { type: "invalid", faults: Object.fromEntries(faults) };
  const { name, scopes, date, addresses } = parsed;
  return {
    type: "valid",
    settings: {
      name: name.data ?? "",
      scopes: scopes.data ?? [],
      ...(date.data !== undefined && { expiresAtMs: date.data }),
      ...(addresses.data?.length && { ipAllowList: addresses.data }),
    },
  };
}

/** NaN for a text that is no day. */
function dateOf({ date }: Pick<TokenValues, "date">): number | undefined {
  return date === "" ? undefined : endOfDay(date) ?? NaN;
}

/** A new token, shown once after the form is posted. */
export interface MadeToken {
  readonly name: string;
  readonly secret: string;
}
