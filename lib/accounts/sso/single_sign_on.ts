import type { SignInProvider } from "../../config.ts";
import type { Store } from "../../store/mod.ts";
import type { ProvenIdentity } from "./claims.ts";
import { newFlow, sealFlow, type SsoFlow, takeFlow } from "./flow.ts";
import { githubProtocol } from "./github.ts";
import { oidcProtocol } from "./oidc.ts";
import type { Protocol } from "./protocol.ts";
import { SsoError } from "./sso_error.ts";

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
   * cookie. Throws `SsoError`.
   */
  async begin(
    { store, nowMs }: At,
    draft: Parameters<typeof newFlow>[0],
  ): Promise<{ readonly url: string; readonly sealed: string }> {
    const flow = newFlow(draft, nowMs);
    const url = await this.#protocol(draft.provider).authorizationUrl(flow);
    return { url: url.href, sealed: await sealFlow(store, flow) };
  }

  /**
   * Opens the flow with which a browser comes back, which can be used once. Throws `SsoError` if the
   * browser has none, or one of another provider.
   */
  async open({ store, nowMs }: At, providerId: string, sealed: string): Promise<SsoFlow> {
    const flow = await takeFlow(store, sealed, nowMs);
    if (flow === undefined) throw new SsoError("expired", "The browser has no sign-in under way");
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
