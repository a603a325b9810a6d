import { keptParts } from "../../../lib/accounts/secrets.ts";
import type { ApiKey } from "../../../lib/store/api_keys/mod.ts";
import { defaultGroupId } from "../../../lib/store/catalog/mod.ts";
import { digestOf } from "../../../lib/store/mod.ts";
import { firstAccountId } from "../../../lib/store/users/mod.ts";
import { idFrom } from "../identity.ts";
import { isFields, type SourceFields, type SourceObject } from "../source_object.ts";
import type { Variables } from "./config_file.ts";

/** A shorter key can be guessed, such as the `sk-1234` of LiteLLM's examples. */
const charsMin = 20;
export const masterKeyName = "litellm master key";

/** LiteLLM's master key, which its environment may set alone. */
export function masterKeyIn(
  { general_settings }: SourceFields,
  variables: Variables,
): string | undefined {
  const written = isFields(general_settings) ? general_settings.master_key : undefined;
  return typeof written === "string"
    ? variables.resolve(written).value
    : variables.get("LITELLM_MASTER_KEY");
}

/** Reads the master key as a key of our own; undefined if it is not set or not safe. */
export function readMasterKey(settings: SourceObject, variables: Variables): string | undefined {
  const written = settings.text("master_key");
  if (written === undefined) return undefined;
  const { value } = variables.resolve(written);
  if (value === undefined) return settings.unknown("master_key", "its variable is not set");
  if (value.length < charsMin) return settings.unknown("master_key", guessable);
  settings.changed("master_key", "an API key of the first administrator");
  return value;
}

const guessable = `it has fewer than ${charsMin} characters and can be guessed: create a key for ` +
  "the programs that call with it";

/**
 * LiteLLM's master key as a key of the first administrator, so that programs that call with it go on
 * working. It manages nothing here.
 */
export function masterKeyOf(secret: string | undefined, nowMs: number): readonly ApiKey[] {
  if (secret === undefined) return [];
  const digest = digestOf(secret);
  return [{
    id: idFrom("key", "litellm", digest),
    accountId: firstAccountId,
    name: masterKeyName,
    ...keptParts(secret),
    groupId: defaultGroupId,
    enabled: true,
    createdAtMs: nowMs,
    origin: "console",
  }];
}

/** Opens a value that LiteLLM sealed in its database; undefined for another key or no sealed value. */
type Opener = (value: string) => Promise<string | undefined>;

const nonceBytes = { gcm: 12, legacy: 24 } as const;
/** The nonce and the tag of an empty text. */
const legacyBytesMin = 40;

/**
 * LiteLLM seals with AES-256-GCM (`v3:gcm:` with HKDF, `v2:gcm:` with SHA-256 of the salt key), and
 * earlier releases with XSalsa20-Poly1305 and no prefix (its `encrypt_decrypt_utils.py`, 2026-11).
 */
export function openerFor(saltKey: string): Opener {
  return async (value) => {
    const [, version, packed = value] = /^(v[23]):gcm:(.*)$/s.exec(value) ?? [];
    const bytes = unpacked(packed);
    if (!bytes) return undefined;
    try {
      const plain = version === undefined
        ? await openLegacy(bytes, saltKey)
        : await openGcm(bytes, version === "v3" ? await hkdfKey(saltKey) : await hashKey(saltKey));
      return plain && new TextDecoder("utf-8", { fatal: true }).decode(plain);
    } catch {
      return undefined; // sealed under another key, or no sealed value
    }
  };
}

/** The object with its texts opened, and the names of those that stay sealed. */
export async function openFields(
  fields: SourceFields,
  open: Opener,
): Promise<{ readonly fields: SourceFields; readonly sealed: readonly string[] }> {
  const opened = await Promise.all(
    Object.entries(fields).map(async ([name, value]) =>
      [name, await openValue(value, open)] as const
    ),
  );
  return {
    fields: Object.fromEntries(opened.filter(([, value]) => value !== undefined)),
    sealed: opened.filter(([, value]) => value === undefined).map(([name]) => name),
  };
}

async function openValue(value: unknown, open: Opener): Promise<unknown> {
  if (typeof value === "string") return await open(value);
  return isFields(value) ? (await openFields(value, open)).fields : value;
}

function unpacked(text: string): Uint8Array<ArrayBuffer> | undefined {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(standard) ? Uint8Array.fromBase64(standard) : undefined;
}

async function openGcm(bytes: Uint8Array<ArrayBuffer>, key: BufferSource): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
  const iv = bytes.subarray(0, nonceBytes.gcm);
  const sealed = bytes.subarray(nonceBytes.gcm);
  return await crypto.subtle.decrypt({ name: "AES-GCM", iv }, imported, sealed);
}

async function openLegacy(
  bytes: Uint8Array<ArrayBuffer>,
  saltKey: string,
): Promise<Uint8Array | undefined> {
  if (bytes.length < legacyBytesMin) return undefined;
  const { xsalsa20poly1305 } = await import("@noble/ciphers/salsa.js");
  const nonce = bytes.subarray(0, nonceBytes.legacy);
  return xsalsa20poly1305(new Uint8Array(await hashKey(saltKey)), nonce)
    .decrypt(bytes.subarray(nonceBytes.legacy));
}

function hashKey(saltKey: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(saltKey));
}

async function hkdfKey(saltKey: string): Promise<ArrayBuffer> {
  const bytes = new TextEncoder().encode(saltKey);
  const imported = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveBits"]);
  const info = new TextEncoder().encode("litellm-at-rest-v3");
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  return await crypto.subtle.deriveBits(derivation, imported, 256);
}
