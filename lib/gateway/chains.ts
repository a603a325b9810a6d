import type { Caller } from "../accounts/authorize.ts";
import { BoundedMap } from "../bounded_map.ts";
import type { RemainingMoney } from "../ledger/mod.ts";
import type { ChainMember } from "../store/catalog/mod.ts";

/** The most sessions of virtual models whose member is remembered. */
const sessionsMax = 10_000;
/** A share of a budget may be as old as this. */
const spentAgeMsMax = 5_000;

interface ChainsSource {
  /** The members of a virtual model; undefined for any other name. */
  readonly membersOf: (model: string) => readonly ChainMember[] | undefined;
  /** The budgets that bind a caller. */
  readonly budgetsOf: (caller: Caller) => Promise<readonly RemainingMoney[]>;
  readonly now: () => number;
}

/** The virtual models, the spent shares that their conditions ask for, and the member of each session. */
export class Chains {
  readonly membersOf: ChainsSource["membersOf"];
  readonly #source: ChainsSource;
  readonly #spent = new BoundedMap<string, { readonly percent: number; readonly atMs: number }>(
    sessionsMax,
  );
  readonly #moves = new BoundedMap<string, Move>(sessionsMax);

  constructor(source: ChainsSource) {
    this.#source = source;
    this.membersOf = source.membersOf;
  }

  /** The spent per cent of the fullest budget of the caller's key, a few seconds old at most. */
  async spentPercent(caller: Caller): Promise<number> {
    const { key, child, session } = caller;
    const name = `${key.id} ${child?.name ?? ""} ${session?.id ?? ""}`;
    const known = this.#spent.get(name);
    const nowMs = this.#source.now();
    if (known && nowMs - known.atMs < spentAgeMsMax) return known.percent;
    const percent = Math.max(0, ...(await this.#source.budgetsOf(caller)).map(percentOf));
    this.#spent.set(name, { percent, atMs: nowMs });
    return percent;
  }

  /** The member that answers a session in place of the one that its calls would begin with. */
  memberFor(session: string, first: string): string {
    const move = this.#moves.get(session);
    return move?.from === first ? move.to : first;
  }

  /** Keeps the session at the member that answered in place of the first one. */
  keep(session: string, first: string, model: string): void {
    if (model === first) this.#moves.delete(session);
    else this.#moves.set(session, { from: first, to: model });
  }
}

/** A failed member of a session, and the one that answered in its place. */
interface Move {
  readonly from: string;
  readonly to: string;
}

/** Budgets above the key are not its own to spend. */
const ownOwners: ReadonlySet<RemainingMoney["owner"]> = new Set(["key", "child", "session"]);

function percentOf({ owner, limitNanoUsd, remainingNanoUsd }: RemainingMoney): number {
  if (!limitNanoUsd || !ownOwners.has(owner)) return 0;
  return 100 * (1 - Number(remainingNanoUsd) / Number(limitNanoUsd));
}
