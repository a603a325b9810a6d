import { formOf, unusable } from "./ask.ts";
import { type Get, machineOf } from "./context.ts";
import type { SourceOf } from "./source.ts";
import { tokenIn } from "./token.ts";

/** The scope of all calls to Vertex AI. */
export const cloudPlatform = "https://www.googleapis.com/auth/cloud-platform";
const tokenUrl = "https://oauth2.googleapis.com/token";
const assertionSeconds = 3_600;

/** A token for a service account, by a JWT that its key signs (RFC 7523). */
export const serviceAccountToken: Get<SourceOf<"service_account">, string> = async (
  source,
  { ask, now, origin },
) => {
  const url = source.token_uri ?? tokenUrl;
  const request = formOf({
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion: await assertionOf(source, url, now()),
  });
  return tokenIn(await ask({ url, origin, ...request }), now());
};

async function assertionOf(
  { client_email: email, private_key: key, private_key_id: kid }: SourceOf<"service_account">,
  audience: string,
  nowMs: number,
): Promise<string> {
  const { importPKCS8, SignJWT } = await import("jose");
  const pem = key.replaceAll("\\n", "\n"); // environment variables often hold it so
  const signingKey = await importPKCS8(pem, "RS256").catch(() => {
    throw unusable("The private_key of the service account is not a PKCS #8 key in PEM");
  });
  const atSeconds = Math.floor(nowMs / 1_000);
  return await new SignJWT({ scope: cloudPlatform })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(kid !== undefined && { kid }) })
    .setIssuer(email).setAudience(audience)
    .setIssuedAt(atSeconds).setExpirationTime(atSeconds + assertionSeconds)
    .sign(signingKey);
}

/** A token for a person who signed in to Google's command line. */
export const authorizedUserToken: Get<SourceOf<"authorized_user">, string> = async (
  { client_id, client_secret, refresh_token, token_uri: url = tokenUrl },
  { ask, now, origin },
) => {
  const request = formOf({ grant_type: "refresh_token", client_id, client_secret, refresh_token });
  return tokenIn(await ask({ url, origin, ...request }), now());
};

/** A token of the service account of the machine, from its metadata server. */
export const metadataToken: Get<SourceOf<"google_metadata">, string> = async (
  { serviceAccount = "default" },
  context,
) => {
  const host = machineOf(context).variables.GCE_METADATA_HOST ?? "169.254.169.254";
  const path = `computeMetadata/v1/instance/service-accounts/${serviceAccount}/token`;
  const answer = await context.ask({
    url: `http://${host}/${path}`,
    origin: "config",
    method: "GET",
    headers: { "metadata-flavor": "Google" },
  });
  return tokenIn(answer, context.now());
};
