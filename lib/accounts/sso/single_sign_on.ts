import type { SignInProvider } from "../../config.ts";
import { digestOf, type Store } from "../../store/mod.ts";
import { useOnce } from "../../store/users/mod.ts";
import { newToken, sealed, unsealed } from "../secrets.ts";
import { githubProtocol } from "./github.ts";
import { oidcProtocol } from "./oidc.ts";
import { type CodeExchange, type Protocol, type ProvenIdentity, SsoError } from "./protocol.ts";

const protocols = {
  oidc: oidcProtocol,
  google: oidcProtocol,
  github: githubProtocol,
} as const satisfies Record<SignInProvider["type"], (provider: SignInProvider) => Protocol>;

interface At {
  readonly store: Store;
  readonly nowMs: number;
}

/** The configured providers, and the two steps of signing in at one. */
export class SingleSignOn {
  readonly #protocols: ReadonlyMap<string, Protocol>;

  constructor(readonly providers: readonly SignInProvider[]) {
    this.#protocols = new Map(providers.map((one) => [one.id, protocols[one.type](one)]));
  }

  /** Undefined if the configuration has no such provider. */
  provider(id: string): SignInProvider | undefined {
    return this.providers.find((one) => one.id === id);
  }

  /**
   * Starts a flow. Returns the address at the provider, and the sealed flow for the browser's
   * cookie, so that starting one writes nothing to the store. Throws `SsoError`.
   */
  async begin(
    { store, nowMs }: At,
    draft: Parameters<typeof newFlow>[0],
  ): Promise<{ readonly url: string; readonly sealed: string }> {
    const flow = newFlow(draft, nowMs);
    const url = await this.#protocol(draft.provider).authorizationUrl(flow);
    return { url: url.href, sealed: await sealed(store, flow, context) };
  }

  /**
   * Opens the flow with which a browser comes back, which can be used once. Throws `SsoError` if the
   * browser has none, or one of another provider.
   */
  async open({ store, nowMs }: At, providerId: string, text: string): Promise<SsoFlow> {
    const flow = await unsealed<SsoFlow>(store, text, context);
    const isUnused = flow !== undefined && nowMs - flow.startedAtMs < flowLifetimeMs &&
      await useOnce(store, digestOf(flow.state), flowLifetimeMs);
    if (!isUnused) throw new SsoError("expired", "The browser has no sign-in under way");
    if (flow.provider === providerId) return flow;
    throw new SsoError("invalid", "The answer is another provider's");
  }

  /** Verifies the provider's answer to a flow. Throws `SsoError`. */
  identify(flow: SsoFlow, answer: URLSearchParams): Promise<ProvenIdentity> {
    return this.#protocol(flow.provider).identify(answer, flow);
  }

  #protocol(id: string): Protocol {
    const protocol = this.#protocols.get(id);
    if (protocol === undefined) throw new SsoError("invalid", "There is no such provider");
    return protocol;
  }
}

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

function newFlow(
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
