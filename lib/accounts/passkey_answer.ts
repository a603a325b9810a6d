import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";

/** What a browser sends back is far shorter. */
const lengthMax = 20_000;

const part = z.string().max(lengthMax);
const credential = { id: part, rawId: part, type: z.literal("public-key") };

const registrationSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: part,
    attestationObject: part,
    transports: z.array(z.string().max(40)).max(20).default([]),
  }),
});

const assertionSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: part,
    authenticatorData: part,
    signature: part,
    userHandle: part.optional(),
  }),
});

/** What a browser says of a passkey that it has made; undefined where the text is none. */
export function readRegistration(text: string): RegistrationResponseJSON | undefined {
  const read = registrationSchema.safeParse(json(text)).data;
  return read && { ...read, clientExtensionResults: {} };
}

/** What a passkey has signed; undefined where the text is none. */
export function readAssertion(text: string): AuthenticationResponseJSON | undefined {
  const read = assertionSchema.safeParse(json(text)).data;
  return read && { ...read, clientExtensionResults: {} };
}

function json(text: string): unknown {
  if (text.length > lengthMax) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
