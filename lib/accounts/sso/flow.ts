import { digestOf, type Store } from "../../store/mod.ts";
import { useOnce } from "../../store/users/mod.ts";
import { newToken } from "../token.ts";
import type { CodeExchange } from "./protocol.ts";

/** The time limit for signing in at the provider. */
export const flowLifetimeMs = 10 * 60 * 1_000;

/** The reason for going to a provider. */
export type SsoPurpose =
  | { readonly type: "sign-in" }
  /** To add the identity to the account of this session, or to prove again who its user is. */
  | { readonly type: "link" | "prove"; readonly sessionDigest: string };

/** A sign-in under way: one browser's way to a provider and back. */
export interface SsoFlow extends CodeExchange {
  /** The id of the provider. */
  readonly provider: string;
  readonly purpose: SsoPurpose;
  /** The path to continue to. */
  readonly next: string;
}

const context = "single sign-on";

export function newFlow(
  draft: Pick<SsoFlow, "provider" | "purpose" | "next" | "redirectUri">,
  nowMs: number,
): SsoFlow {
  return {
    ...draft,
    state: newToken(),
    nonce: newToken(),
    verifier: newToken(),
    startedAtMs: nowMs,
    reauthenticate: draft.purpose.type === "prove",
  };
}

/** Seals a flow for the browser's cookie, so that starting one writes nothing to the store. */
export function sealFlow(store: Store, flow: SsoFlow): Promise<string> {
  return store.secretBox.seal(JSON.stringify(flow), context);
}

/** Opens and uses up a flow. Returns undefined if it was used before, is too old or is forged. */
export async function takeFlow(
  store: Store,
  sealed: string,
  nowMs: number,
): Promise<SsoFlow | undefined> {
  const flow = await unsealed(store, sealed);
  if (flow === undefined || nowMs - flow.startedAtMs >= flowLifetimeMs) return undefined;
  return await useOnce(store, digestOf(flow.state), flowLifetimeMs) ? flow : undefined;
}

async function unsealed(store: Store, sealed: string): Promise<SsoFlow | undefined> {
  try {
    return JSON.parse(await store.secretBox.open(sealed, context)); // sealed by us
  } catch {
    return undefined;
  }
}
