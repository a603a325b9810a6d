import { type PriceProposal, priceProposals, takenMax } from "../../admin/models/proposals.ts";
import { rerate, type Rerating } from "../../admin/models/rerate.ts";
import { catalogFeed } from "../../catalog/mod.ts";
import { listPriceTakes, type PriceTake } from "../../store/catalog/mod.ts";
import type { AccountState } from "../session/state.ts";

/** A proposal, and the last week's calls at its price, if there was time to try it. */
export interface TriedProposal extends PriceProposal {
  readonly rerating?: Rerating;
}

/** The data of the page of price proposals. */
export interface ProposalsData {
  readonly feed: { readonly name: string; readonly fetchedAtMs: number };
  readonly proposals: readonly TriedProposal[];
  readonly takes: readonly PriceTake[];
  /** The proposals to be confirmed. */
  readonly chosen: readonly TriedProposal[];
  readonly choseNothing?: boolean;
  readonly isFromInvalid?: boolean;
  /** The reason why the feed could not be fetched. */
  readonly fault?: string;
}

/** The time for trying proposals before the page is shown; the others are tried when they are reviewed. */
const triedMsMax = 2_000;

export async function readProposals(state: AccountState): Promise<ProposalsData> {
  const { services: { store, directory } } = state;
  await directory.refresh(); // shows what was just taken
  const { url: name = catalogFeed.name, fetchedAtMs = Date.parse(catalogFeed.asOf) } =
    directory.priceFeed() ?? {};
  return {
    feed: { name, fetchedAtMs },
    proposals: await tried(priceProposals(state), state, triedMsMax),
    takes: await listPriceTakes(store),
    chosen: [],
  };
}

/** Tries proposals on the last week's calls, one after the other, until the time is up. */
export async function tried(
  proposals: readonly PriceProposal[],
  { services: { store, directory }, nowMs }: AccountState,
  msMax = Infinity,
): Promise<TriedProposal[]> {
  const untilMs = performance.now() + msMax;
  const all: TriedProposal[] = [];
  for (const [at, proposal] of proposals.entries()) {
    const { id: model, proposed: price } = proposal;
    const isTried = at < takenMax && performance.now() < untilMs;
    const rerating = isTried ? await rerate(store, { model, price, directory, nowMs }) : undefined;
    all.push({ ...proposal, ...(rerating && { rerating }) });
  }
  return all;
}
