import type { ModelRow } from "../../admin/models/model_rows.ts";

/** The operating systems of clients; macOS and Linux keep files in the same places. */
export const systems = ["unix", "windows"] as const;
export type System = typeof systems[number];

/** The limits of a model, and the key's prices for it, which clients cannot know themselves. */
export type ModelFacts = Pick<ModelRow, "contextWindow" | "maxOutputTokens" | "price">;

/** The settings of a client: the gateway's address, the model and the key. */
export interface ClientSetting {
  readonly origin: string;
  readonly model: string;
  /** The secret, on the one page that shows it; else a placeholder. */
  readonly key: string;
  readonly system: System;
  /** Default: nothing is known of the model. */
  readonly facts?: ModelFacts | undefined;
}

/** One client and how it is set up. */
export interface Client {
  readonly name: string;
  /** The file that the snippet goes to; absent for a terminal or a program. */
  readonly file?: string | Readonly<Record<System, string>>;
  /** True for a client that is set up by hand: the snippet lists the values to enter. */
  readonly byHand?: true;
  readonly snippet: (setting: ClientSetting) => string;
}
