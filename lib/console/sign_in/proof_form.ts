import type { Context } from "fresh";
import {
  assertionOptions,
  type Proof,
  type ProofResult,
  proveIdentity,
} from "../../accounts/mod.ts";
import { getTotp, listPasskeys } from "../../store/users/mod.ts";
import type { AccountState } from "../session/state.ts";
import { linkedIdentities, type LinkedIdentity } from "./linked_identities.ts";
import { ownEntry } from "./own_entry.ts";
import { type PasskeyRequest, passkeySite } from "./passkeys.ts";
import { signInFrom } from "./sign_in_answer.ts";
import type { ProviderLink } from "./sso.ts";

/** The ways to prove one's identity. */
export interface ProofWays {
  readonly password: boolean;
  readonly code: boolean;
  readonly passkey?: PasskeyRequest;
  /** The providers at which the user has a linked identity. */
  readonly providers: readonly ProviderLink[];
}

/** The address of the page that asks for a proof; `proved` marks the way back from a provider. */
export function confirmPath(
  { next, held, proved }: {
    readonly next: string;
    readonly held?: string;
    readonly proved?: string;
  },
): string {
  const fields = new URLSearchParams({ next });
  if (held !== undefined) fields.set("held", held);
  if (proved !== undefined) fields.set("proved", proved);
  return `/console/confirm?${fields}`;
}

/** The proofs that the signed-in user can give here. */
export async function proofWays(ctx: Context<AccountState>): Promise<ProofWays> {
  const { services, services: { store }, account: { user }, nowMs } = ctx.state;
  const site = passkeySite(ctx);
  const [totp, passkeys, identities] = await Promise.all([
    getTotp(store, user.id),
    listPasskeys(store, user.id),
    linkedIdentities(services, user.id),
  ]);
  const ways = {
    password: user.passwordHash !== undefined,
    code: totp !== undefined,
    providers: providersOf(identities),
  };
  if (site === undefined || !passkeys.some(({ rpId }) => rpId === site.rpId)) return ways;
  const options = await assertionOptions({ store, site, nowMs }, user.id);
  return { ...ways, passkey: { type: "get", options } };
}

/** Each provider once. */
function providersOf(identities: readonly LinkedIdentity[]): ProviderLink[] {
  const byId = new Map(
    identities.flatMap(({ provider }) => provider ? [[provider.id, provider]] : []),
  );
  return [...byId.values()];
}

/** Takes the first proof in the form: a passkey's answer, a code or a password. */
export async function takeProof(
  ctx: Context<AccountState>,
  form: URLSearchParams,
): Promise<ProofResult> {
  const { services, account, nowMs } = ctx.state;
  const { ip, device } = signInFrom(ctx);
  const proof = proofIn(form, ctx);
  if (proof === undefined) return { type: "refused" };
  return await proveIdentity({ ...services, nowMs }, { ...account, ip, device }, proof);
}

function proofIn(form: URLSearchParams, ctx: Context<AccountState>): Proof | undefined {
  const [answer, code] = [form.get("answer"), form.get("code")];
  const site = passkeySite(ctx);
  if (answer) return site && { type: "passkey", answer, site };
  if (!code) return { type: "password", password: form.get("password") ?? "" };
  const changes = [{ field: "recoveryCode", after: "used" }];
  const audit = ownEntry(ctx, ctx.state.account.user, { action: "changed", changes });
  return { type: "code", code, audit };
}
