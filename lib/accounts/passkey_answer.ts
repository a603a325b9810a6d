import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";

/** Far longer than any browser's answer. */
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

/** Parses a browser's registration of a passkey; undefined if the text is not one. */
export function readRegistration(text: string): RegistrationResponseJSON | undefined {
  const read = registrationSchema.safeParse(json(text)).data;
  return read && { ...read, clientExtensionResults: {} };
}

/** Parses a browser's assertion of a passkey; undefined if the text is not one. */
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
