import { StoreError } from "../../store/mod.ts";
import type { AccountState } from "../session/state.ts";

/**
 * Seals the keys of a rejected form for this session, so that the user need not enter them again
 * and the page does not contain them.
 */
export async function sealKeys(keys: readonly string[], state: AccountState): Promise<string> {
  if (keys.length === 0) return "";
  return await state.services.store.secretBox.seal(JSON.stringify(keys), context(state));
}

/** Returns no keys if the text is forged or from another session. */
export async function openKeys(
  sealed: string | null,
  state: AccountState,
): Promise<readonly string[]> {
  if (!sealed || sealed.length > sealedCharsMax) return [];
  try {
    return JSON.parse(await state.services.store.secretBox.open(sealed, context(state))); // sealed by sealKeys
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}

const sealedCharsMax = 60_000;

function context({ account: { session } }: AccountState): string {
  return `entered keys ${session.digest}`;
}
