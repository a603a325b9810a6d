import { concatenated } from "../../bytes.ts";
import { capsuleBeginning } from "../../canonical/mod.ts";
import { StoreError } from "./error.ts";

const scheme = "v1";
const ivBytes = 12;

/** The keys derived from one secret. */
interface Keys {
  /** The name of the secret in capsules, which does not reveal it. */
  readonly id: string;
  readonly credentials: CryptoKey;
  readonly contents: CryptoKey;
  readonly capsules: CryptoKey;
  readonly codes: CryptoKey;
}

/**
 * Seals credentials, contents and capsules with AES-256-GCM, under separate keys derived
 * (HKDF-SHA-256) from the gateway's secret. A sealed value opens only in the context that it was
 * sealed for, such as `upstream/acme`. Former secrets still open what they sealed.
 */
export class SecretBox {
  readonly #keys: Keys;
  readonly #all: readonly Keys[];

  private constructor(keys: Keys, former: readonly Keys[]) {
    this.#keys = keys;
    this.#all = [keys, ...former];
  }

  static async create(secret: string, formerSecrets: readonly string[] = []): Promise<SecretBox> {
    return new SecretBox(await keysOf(secret), await Promise.all(formerSecrets.map(keysOf)));
  }

  async seal(plain: string, context: string): Promise<string> {
    const { iv, bytes } = await this.#sealed(
      this.#keys.credentials,
      new TextEncoder().encode(plain),
      context,
    );
    return `${scheme}.${iv.toBase64()}.${bytes.toBase64()}`;
  }

  async open(sealed: string, context: string): Promise<string> {
    try {
      const [found, iv, bytes] = sealed.split(".");
      if (found !== scheme || iv === undefined || bytes === undefined) {
        throw new Error("no such scheme");
      }
      return textIn(
        await openedByAny(this.#all.map(({ credentials }) => credentials), {
          iv: Uint8Array.fromBase64(iv),
          bytes: Uint8Array.fromBase64(bytes),
          context,
        }),
      );
    } catch (cause) {
      throw new StoreError(
        "unreadable",
        `Cannot open the credential of ${context}: it was sealed under another TESSERA_SECRET, set that one or enter the credential again`,
        { cause },
      );
    }
  }

  /** Seals contents: returns the initialization vector, followed by the ciphertext with its tag. */
  async sealContent(plain: Uint8Array<ArrayBuffer>, context: string): Promise<Uint8Array> {
    const { iv, bytes } = await this.#sealed(this.#keys.contents, plain, context);
    return concatenated([iv, bytes]);
  }

  /** Throws `unreadable` for another secret, another context, or damaged data. */
  async openContent(
    sealed: Uint8Array<ArrayBuffer>,
    context: string,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const parts = { iv: sealed.subarray(0, ivBytes), bytes: sealed.subarray(ivBytes), context };
    try {
      return await openedByAny(this.#all.map(({ contents }) => contents), parts);
    } catch (cause) {
      throw new StoreError(
        "unreadable",
        "Cannot open stored content: it is damaged or was sealed under another secret. Restore the former TESSERA_SECRET or secret file",
        { cause },
      );
    }
  }

  /**
   * Seals a text that a caller keeps, as `tsc1.<key>.<data>`: the key's id, then the initialization
   * vector, the ciphertext and its tag in base64url.
   */
  async sealCapsule(plain: string, context: string): Promise<string> {
    const { id, capsules } = this.#keys;
    const head = `${capsuleBeginning}${id}`;
    const text = new TextEncoder().encode(plain);
    const { iv, bytes } = await this.#sealed(capsules, text, `${head}.${context}`);
    const data = concatenated([iv, bytes]).toBase64({ alphabet: "base64url", omitPadding: true });
    return `${head}.${data}`;
  }

  /**
   * Opens such a text; undefined for another secret, another context, or damaged data, without
   * telling which.
   */
  async openCapsule(sealed: string, context: string): Promise<string | undefined> {
    const [, id, data] = sealed.split(".");
    const keys = this.#all.find((one) => one.id === id);
    if (!sealed.startsWith(capsuleBeginning) || !keys || data === undefined) return undefined;
    try {
      const all = Uint8Array.fromBase64(data, { alphabet: "base64url" });
      const how = algorithm(all.subarray(0, ivBytes), `${capsuleBeginning}${id}.${context}`);
      return textIn(await crypto.subtle.decrypt(how, keys.capsules, all.subarray(ivBytes)));
    } catch {
      return undefined;
    }
  }

  /** Returns the HMAC-SHA-256 of a text, by which a code proves that the gateway made it. */
  async sign(text: string): Promise<Uint8Array> {
    const bytes = new TextEncoder().encode(text);
    return new Uint8Array(await crypto.subtle.sign("HMAC", this.#keys.codes, bytes));
  }

  async #sealed(key: CryptoKey, plain: Uint8Array<ArrayBuffer>, context: string) {
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
    return {
      iv,
      bytes: new Uint8Array(await crypto.subtle.encrypt(algorithm(iv, context), key, plain)),
    };
  }
}

interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly context: string;
}

/** Throws unless one of the keys opens it; the newest is the first. */
async function openedByAny(
  [key, ...former]: readonly CryptoKey[],
  sealed: Sealed,
): Promise<Uint8Array<ArrayBuffer>> {
  const { iv, bytes, context } = sealed;
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm(iv, context), key, bytes));
  } catch (cause) {
    if (former.length === 0) throw cause;
    return await openedByAny(former, sealed);
  }
}

function textIn(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

const capsuleIdBits = 32;

async function keysOf(secret: string): Promise<Keys> {
  const bytes = new TextEncoder().encode(secret);
  const material = await crypto.subtle.importKey("raw", bytes, "HKDF", false, [
    "deriveKey",
    "deriveBits",
  ]);
  const id = await crypto.subtle.deriveBits(hkdf("tessera capsule id"), material, capsuleIdBits);
  return {
    id: new Uint8Array(id).toHex(),
    credentials: await derivedKey(material, "tessera credentials"),
    contents: await derivedKey(material, "tessera contents"),
    capsules: await derivedKey(material, "tessera capsules"),
    codes: await crypto.subtle.deriveKey(
      hkdf("tessera codes"),
      material,
      { name: "HMAC", hash: "SHA-256", length: 256 },
      false,
      ["sign"],
    ),
  };
}

function derivedKey(material: CryptoKey, info: string): Promise<CryptoKey> {
  return crypto.subtle.deriveKey(
    hkdf(info),
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

function hkdf(info: string): HkdfParams {
  return {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: new TextEncoder().encode(info),
  };
}

function algorithm(iv: Uint8Array<ArrayBuffer>, context: string): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(context) };
}
