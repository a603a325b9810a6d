/** A software authenticator: it makes ES256 passkeys and signs as a browser would post it. */
export interface Authenticator {
  readonly create: (options: CreationOptions, origin: string) => Promise<string>;
  readonly get: (options: RequestOptions, origin: string) => Promise<string>;
  /** The signature counter; an authenticator without one reports 0 each time. */
  counter: number;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id?: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId?: string;
}

const userWasVerified = 0b0000_0101;
const withKey = 0b0100_0000;

export async function newAuthenticator(): Promise<Authenticator> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ["sign"]);
  const point = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
  const id = crypto.getRandomValues(new Uint8Array(16));
  const authenticator: Authenticator = {
    counter: 1,
    async create({ challenge, rp }, origin) {
      const data = await dataFor(rp.id ?? "", userWasVerified | withKey, authenticator.counter);
      const authData = bytes(data, new Uint8Array(16), [0, id.length], id, coseKey(point));
      const attestationObject = bytes(
        [0xa3],
        text("fmt"),
        text("none"),
        text("attStmt"),
        [0xa0],
        text("authData"),
        [0x59, authData.length >> 8, authData.length & 0xff],
        authData,
      );
      return answer({
        clientDataJSON: base64(clientData("webauthn.create", challenge, origin)),
        attestationObject: base64(attestationObject),
        transports: ["internal"],
      });
    },
    async get({ challenge, rpId }, origin) {
      const client = clientData("webauthn.get", challenge, origin);
      if (authenticator.counter > 0) authenticator.counter++;
      const data = await dataFor(rpId ?? "", userWasVerified, authenticator.counter);
      const signed = bytes(data, new Uint8Array(await crypto.subtle.digest("SHA-256", client)));
      const hash = { name: "ECDSA", hash: "SHA-256" };
      const raw = new Uint8Array(await crypto.subtle.sign(hash, privateKey, signed));
      return answer({
        clientDataJSON: base64(client),
        authenticatorData: base64(data),
        signature: base64(der(raw)),
      });
    },
  };
  const answer = (response: object) =>
    JSON.stringify({ id: base64(id), rawId: base64(id), type: "public-key", response });
  return authenticator;
}

async function dataFor(rpId: string, flags: number, counter: number) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rpId));
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, counter);
  return bytes(new Uint8Array(hash), [flags], count);
}

function clientData(type: string, challenge: string, origin: string) {
  const json = JSON.stringify({ type, challenge, origin, crossOrigin: false });
  return new TextEncoder().encode(json);
}

/** COSE_Key of an uncompressed P-256 point: EC2, ES256. */
function coseKey(point: Uint8Array) {
  const [x, y] = [point.slice(1, 33), point.slice(33, 65)];
  return bytes([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32], x, [0x22, 0x58, 32], y);
}

function der(raw: Uint8Array) {
  const integer = (part: Uint8Array) => {
    const first = part.findIndex((byte) => byte !== 0);
    const plain = part.slice(first);
    const body = plain[0] >= 0x80 ? bytes([0], plain) : plain;
    return bytes([2, body.length], body);
  };
  const body = bytes(integer(raw.slice(0, 32)), integer(raw.slice(32)));
  return bytes([0x30, body.length], body);
}

/** A short text in CBOR. */
function text(value: string) {
  return bytes([0x60 | value.length], new TextEncoder().encode(value));
}

function bytes(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function base64(value: Uint8Array): string {
  return value.toBase64({ alphabet: "base64url", omitPadding: true });
}
