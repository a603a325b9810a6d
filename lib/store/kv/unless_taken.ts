import { StoreError } from "./error.ts";

/** Returns what `saving` returns, or `taken` if a record of this name exists already. */
export async function unlessTaken<Saved>(saving: Promise<Saved>): Promise<Saved | "taken"> {
  try {
    return await saving;
  } catch (error) {
    if (error instanceof StoreError && error.code === "already_exists") return "taken";
    throw error;
  }
}
