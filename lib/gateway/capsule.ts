import { hash } from "node:crypto";
import { isJsonObject, type JsonObject } from "../canonical/mod.ts";
import type { CompactionCodec, FoundCapsule, NewCapsule } from "../formats/compaction_codec.ts";
import type { SecretBox } from "../store/mod.ts";

/** Seals and opens capsules for one account. */
export interface CapsuleKeys {
  readonly box: Pick<SecretBox, "sealCapsule" | "openCapsule">;
  readonly accountId: string;
  readonly codec: CompactionCodec;
}

/** A summary of a conversation. */
export interface Summary {
  readonly text: string;
  /** The number of compactions that lead to it. */
  readonly chain: number;
}

/** Maximum characters of a capsule. */
const sealedCharsMax = 1024 * 1024;
const version = 1;

/** The codec's item for a summary, sealed for the account. */
export async function sealedItem(
  { text, chain }: Summary,
  { box, accountId, codec }: CapsuleKeys,
  made: Pick<NewCapsule, "id" | "isAutomatic">,
): Promise<JsonObject> {
  const content = codec.isReadable ? { digest: digestOf(text) } : { text };
  const plain = JSON.stringify({ v: version, at: Date.now(), chain, ...content });
  const sealed = await box.sealCapsule(plain, accountId);
  return codec.capsule({ ...made, sealed, summary: text });
}

/**
 * Opens a capsule of the gateway. Throws the format's own `invalid_request`: the same for a foreign,
 * a damaged and an unknown one, another for a readable text that was changed.
 */
export async function openedCapsule(
  { param, sealed = "", summary }: FoundCapsule,
  { box, accountId, codec }: CapsuleKeys,
): Promise<Summary> {
  const isShort = sealed.length <= sealedCharsMax;
  const plain = isShort ? await box.openCapsule(sealed, accountId) : undefined;
  if (plain === undefined) throw codec.refusal("seal", param);
  const value: unknown = JSON.parse(plain); // sealed by us
  const { text, digest, chain } = isJsonObject(value) ? value : {};
  const said = typeof text === "string" ? text : summary;
  if (said === undefined || (digest !== undefined && digest !== digestOf(said))) {
    throw codec.refusal("text", param);
  }
  return { text: said, chain: typeof chain === "number" ? chain : 1 };
}

function digestOf(text: string): string {
  return hash("sha256", text, "hex");
}
