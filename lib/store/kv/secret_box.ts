import { StoreError } from "./error.ts";

const scheme = "v1";
const ivBytes = 12;

/**
 * Seals credentials and contents with AES-256-GCM, under separate keys derived (HKDF-SHA-256) from
 * the gateway's secret. A sealed value opens only in the context that it was sealed for, such as
 * `upstream/acme`.
 */
export class SecretBox {
  readonly #key: CryptoKey;
  readonly #contentKey: CryptoKey;

  private constructor(key: CryptoKey, contentKey: CryptoKey) {
    this.#key = key;
    this.#contentKey = contentKey;
  }

  static async create(secret: string): Promise<SecretBox> {
    const bytes = new TextEncoder().encode(secret);
    const material = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
    return new SecretBox(
      await derivedKey(material, "tessera credentials"),
      await derivedKey(material, "tessera contents"),
    );
  }

  async seal(plain: string, context: string): Promise<string> {
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
    const sealed = await crypto.subtle.encrypt(
      algorithm(iv, context),
      this.#key,
      new TextEncoder().encode(plain),
    );
    return `${scheme}.${iv.toBase64()}.${new Uint8Array(sealed).toBase64()}`;
  }

  async open(sealed: string, context: string): Promise<string> {
    try {
      const [found, iv, bytes] = sealed.split(".");
      if (found !== scheme || iv === undefined || bytes === undefined) {
        throw new Error("no such scheme");
      }
      const plain = await crypto.subtle.decrypt(
        algorithm(Uint8Array.fromBase64(iv), context),
        this.#key,
        Uint8Array.fromBase64(bytes),
      );
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(plain);
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
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
    const sealed = await crypto.subtle.encrypt(algorithm(iv, context), this.#contentKey, plain);
    const bytes = new Uint8Array(ivBytes + sealed.byteLength);
    bytes.set(iv);
    bytes.set(new Uint8Array(sealed), ivBytes);
    return bytes;
  }

  /** Throws `unreadable` for another secret, another context, or damaged data. */
  async openContent(
    sealed: Uint8Array<ArrayBuffer>,
    context: string,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const how = algorithm(sealed.subarray(0, ivBytes), context);
    try {
      return new Uint8Array(
        await crypto.subtle.decrypt(how, this.#contentKey, sealed.subarray(ivBytes)),
      );
    } catch (cause) {
      throw new StoreError(
        "unreadable",
        "Cannot open stored content: it is damaged or was sealed under another secret. Restore the former TESSERA_SECRET or secret file",
        { cause },
      );
    }
  }
}

function derivedKey(material: CryptoKey, info: string): Promise<CryptoKey> {
  return crypto.subtle.deriveKey(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: new TextEncoder().encode(info),
    },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

function algorithm(iv: Uint8Array<ArrayBuffer>, context: string): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(context) };
}
