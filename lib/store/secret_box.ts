import { StoreError } from "./error.ts";

const scheme = "v1";
const ivBytes = 12;

/**
 * Seals credentials with AES-256-GCM under a key derived (HKDF-SHA-256) from the gateway's secret.
 * A sealed text opens only in the context that it was sealed for, such as `upstream/acme`.
 */
export class SecretBox {
  readonly #key: CryptoKey;

  private constructor(key: CryptoKey) {
    this.#key = key;
  }

  static async create(secret: string): Promise<SecretBox> {
    const bytes = new TextEncoder().encode(secret);
    const material = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
    const key = await crypto.subtle.deriveKey(
      {
        name: "HKDF",
        hash: "SHA-256",
        salt: new Uint8Array(),
        info: new TextEncoder().encode("tessera credentials"),
      },
      material,
      { name: "AES-GCM", length: 256 },
      false,
      ["encrypt", "decrypt"],
    );
    return new SecretBox(key);
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
      return new TextDecoder().decode(plain);
    } catch (cause) {
      throw new StoreError(
        "unreadable",
        `Cannot open the credential of ${context}: it was sealed under another TESSERA_SECRET, set that one or enter the credential again`,
        { cause },
      );
    }
  }
}

function algorithm(iv: Uint8Array<ArrayBuffer>, context: string): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(context) };
}
