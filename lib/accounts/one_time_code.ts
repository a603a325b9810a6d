import type { TOTP } from "otpauth";

const periodSeconds = 30;
/**
 * Steps of tolerance before and after the current one, because clocks differ and people type
 * slowly.
 */
const stepsOff = 1;
const secretBytes = 20;

/** 160 random bits in base 32, as RFC 4226 recommends. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await import("otpauth");
  return new Secret({ size: secretBytes }).base32;
}

/** The `otpauth:` address that an authenticator app reads, often from a QR code. */
export async function totpAddress(
  secret: string,
  { email, siteName }: { readonly email: string; readonly siteName: string },
): Promise<string> {
  return (await codesOf(secret, { issuer: siteName, label: email })).toString();
}

/** The time step of a correct code; undefined if the code is wrong or too old. */
export async function matchingStep(
  secret: string,
  code: string,
  nowMs: number,
): Promise<number | undefined> {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = (await codesOf(secret)).validate({ token, timestamp: nowMs, window: stepsOff });
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / periodSeconds) + delta;
}

async function codesOf(
  secret: string,
  names: { issuer?: string; label?: string } = {},
): Promise<TOTP> {
  const { Secret, TOTP } = await import("otpauth");
  return new TOTP({
    ...names,
    algorithm: "SHA1", // supported by every app
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  });
}
