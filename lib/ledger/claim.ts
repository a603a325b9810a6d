import type { GatewayError, LimitKind, LimitState } from "../canonical/mod.ts";
import type { AllowanceLimit } from "../store/mod.ts";

/** What one call asks of one allowance before it is sent. */
export interface Claim {
  readonly allowanceId: string;
  readonly kind: LimitKind;
  readonly limit: AllowanceLimit;
  /** The most that is set aside, in the allowance's unit; above 0. */
  readonly amount: bigint;
  /**
   * So much is enough where `amount` is more than its part of what is left: a call that needs no
   * more does not wait for more. At most `amount`.
   */
  readonly enough: bigint;
  /** One part of how many of what is left, so that calls beside this one find something too. */
  readonly partPerCall: bigint;
  /** The least that is of use: a call that is alone goes ahead where so much remains. At most `enough`. */
  readonly least: bigint;
  /** How long to wait for others to give back what they hold. */
  readonly waitMs: number;
  /** When the allowance's period ends, in epoch milliseconds. */
  readonly endsAtMs?: number;
  /** Names the limit in all of its minutes, where one pays what another could not. */
  readonly debtId?: string;
  /** The limit as the caller sees it. */
  readonly state: Omit<LimitState, "remaining">;
  /** The error for the caller, where no more than this remains. */
  readonly refusal: (state: LimitState) => GatewayError;
}

/** Kinds whose reservations come back in part or whole while the allowance lasts. */
export const comesBack = {
  money: true,
  tokens: true,
  requests: false,
  concurrency: false,
} as const satisfies Record<LimitKind, boolean>;
