import type { User } from "../../../lib/store/users/mod.ts";

/** The size of a seeded team. */
export interface TeamSize {
  readonly users: number;
  readonly keys: number;
  readonly projects: number;
  readonly calls: number;
  readonly days: number;
  /** Calls of one key to one model within minutes. */
  readonly callsPerSession: number;
}

/** A key as its calls name it. */
export interface TeamKey {
  readonly id: string;
  readonly name: string;
  readonly groupId: string;
  readonly owner: User;
}
