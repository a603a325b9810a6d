import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";
import type { Clock } from "./network.ts";

interface IssuedKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly endsAtMs: number;
}

export const root: IssuedKeys = {
  accessKeyId: "AKIAROOTROOTROOT0001",
  secretAccessKey: "root/secret+key0123456789012345678901234",
  endsAtMs: Infinity,
};
export const role = "arn:aws:iam::123456789012:role/gateway";
/** A role that only the first one and the root may assume. */
export const otherRole = "arn:aws:iam::210987654321:role/models";
export const externalId = "tenant-7";
export const webToken = "eyJhbGciOiJub25lIn0.web-identity.token";
const skewMs = 5 * 60_000;

/** AWS, as strict as it is: verifies each signature over the request as it was received. */
export class FakeAws {
  readonly issued = new Map<string, IssuedKeys>([[root.accessKeyId, root]]);
  assumed = 0;
  /** The life of issued keys. */
  lifeMs = 3_600_000;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The token service of a region. */
  readonly sts = async (request: Request): Promise<Response> => {
    const body = await request.clone().text();
    const form = new URLSearchParams(body);
    const action = form.get("Action");
    if (form.get("Version") !== "2011-06-15") return xmlError(400, "InvalidAction", "No version");
    if (action === "GetCallerIdentity") return await this.#identity(request);
    const refusal = action === "AssumeRole"
      ? await this.#refusalOfRole(request, form)
      : action === "AssumeRoleWithWebIdentity"
      ? refusalOfIdentity(request, form)
      : xmlError(400, "InvalidAction", "Could not find operation");
    return refusal ?? this.#assumed(`${action}`);
  };

  async #refusalOfRole(request: Request, form: URLSearchParams): Promise<Response | undefined> {
    const fault = await this.fault(request, "sts");
    if (fault) return xmlError(403, fault, "The request is not authenticated");
    const isRole = [role, otherRole].includes(form.get("RoleArn") ?? "");
    if (isRole && form.get("ExternalId") === externalId) return undefined;
    return xmlError(
      403,
      "AccessDenied",
      `User is not authorized to perform: sts:AssumeRole on ${role}`,
    );
  }

  async #identity(request: Request): Promise<Response> {
    const fault = await this.fault(request, "sts");
    if (fault) return xmlError(403, fault, "The request is not authenticated");
    const isRoot = request.headers.get("authorization")?.includes(root.accessKeyId);
    const arn = isRoot ? "arn:aws:iam::123456789012:user/root" : `${role}/tessera`;
    return new Response(`<GetCallerIdentityResponse><Arn>${arn}</Arn></GetCallerIdentityResponse>`);
  }

  #assumed(action: string): Response {
    const keys = this.issue();
    return new Response(
      `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result><Credentials>
<AccessKeyId>${keys.accessKeyId}</AccessKeyId><SecretAccessKey>${keys.secretAccessKey}</SecretAccessKey>
<SessionToken>${keys.sessionToken}</SessionToken><Expiration>${
        new Date(keys.endsAtMs).toISOString()
      }</Expiration>
</Credentials></${action}Result></${action}Response>`,
      { headers: { "content-type": "text/xml" } },
    );
  }

  issue(): IssuedKeys {
    const number = String(++this.assumed).padStart(4, "0");
    const keys = {
      accessKeyId: `ASIATEMPTEMPTEMP${number}`,
      secretAccessKey: `temporary/secret+${number}`,
      sessionToken: `FwoGZXIvYXdz//session+token/${number}==`,
      endsAtMs: this.#clock.nowMs + this.lifeMs,
    };
    this.issued.set(keys.accessKeyId, keys);
    return keys;
  }

  /** Any service that takes signed requests, or a bearer token of Bedrock. */
  readonly service = (name: string) => async (request: Request): Promise<Response> => {
    const bearer = request.headers.get("authorization")?.startsWith("Bearer ");
    const fault = bearer ? await this.#bearerFault(request) : await this.fault(request, name);
    if (!fault) return Response.json({ by: bearer ? "bearer" : "signature" });
    const message = fault === "ExpiredTokenException"
      ? "The security token included in the request is expired"
      : `The request is wrong: ${request.headers.get("x-amz-security-token")}`;
    return Response.json({ message }, {
      status: 403,
      headers: { "x-amzn-errortype": `${fault}:` },
    });
  };

  /** Verifies a signed request; returns the name of its fault. */
  async fault(request: Request, service: string): Promise<string | undefined> {
    const authorization = request.headers.get("authorization") ?? "";
    const read =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
        .exec(authorization);
    if (!read) return "MissingAuthenticationTokenException";
    const [, id = "", , region = "", named, list = ""] = read;
    if (named !== service) return "InvalidSignatureException";
    const signedAtMs = timeOf(request.headers.get("x-amz-date"));
    if (Math.abs(signedAtMs - this.#clock.nowMs) > skewMs) return "InvalidSignatureException";
    const keys = this.issued.get(id);
    if (!keys) return "UnrecognizedClientException";
    const token = request.headers.get("x-amz-security-token") ?? undefined;
    if (keys.sessionToken !== token) return "UnrecognizedClientException";
    const url = new URL(request.url);
    const names = list.split(";");
    if (!names.includes("host") || !names.includes("x-amz-date")) {
      return "IncompleteSignatureException";
    }
    const headers = Object.fromEntries(names.map((name) => [
      name,
      name === "host" ? url.host : request.headers.get(name) ?? "",
    ]));
    const signed = await signerOf(keys, service, region).sign({
      ...{
        method: request.method,
        protocol: url.protocol,
        hostname: url.hostname,
        path: url.pathname,
      },
      ...{
        headers,
        query: Object.fromEntries(url.searchParams),
        body: await request.clone().text(),
      },
    }, { signingDate: new Date(signedAtMs) });
    if (signed.headers.authorization !== authorization) return "InvalidSignatureException";
    return this.#clock.nowMs < keys.endsAtMs ? undefined : "ExpiredTokenException";
  }

  /** Verifies a token that was made of keys, as `@aws/bedrock-token-generator` makes it. */
  async #bearerFault(request: Request): Promise<string | undefined> {
    const token = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
    if (!token.startsWith("bedrock-api-key-")) return "UnrecognizedClientException";
    const url = new URL(`https://${atob(token.slice("bedrock-api-key-".length))}`);
    const { searchParams: query } = url;
    const [id = "", , region = "", service] = (query.get("X-Amz-Credential") ?? "").split("/");
    const keys = this.issued.get(id);
    if (!keys || service !== "bedrock" || url.host !== "bedrock.amazonaws.com") {
      return "UnrecognizedClientException";
    }
    const seconds = Number(query.get("X-Amz-Expires"));
    const signedAtMs = timeOf(query.get("X-Amz-Date"));
    const again = await signerOf(keys, service, region).presign({
      ...{ method: "POST", protocol: "https:", hostname: url.host, path: "/", body: "" },
      ...{ headers: { host: url.host }, query: { Action: "CallWithBearerToken" } },
    }, { signingDate: new Date(signedAtMs), expiresIn: seconds });
    const isSame = again.query?.["X-Amz-Signature"] === query.get("X-Amz-Signature") &&
      query.get("Version") === "1" &&
      (query.get("X-Amz-Security-Token") ?? undefined) === keys.sessionToken;
    if (!isSame || seconds > 43_200) return "InvalidSignatureException";
    const endsAtMs = Math.min(signedAtMs + seconds * 1_000, keys.endsAtMs);
    return this.#clock.nowMs < endsAtMs ? undefined : "ExpiredTokenException";
  }

  /** The metadata service of an instance, version 2. */
  readonly metadata = (request: Request): Response => {
    const { pathname } = new URL(request.url);
    if (pathname === "/latest/api/token") {
      const isRight = request.method === "PUT" &&
        request.headers.get("x-aws-ec2-metadata-token-ttl-seconds") === "21600";
      return new Response(isRight ? "session-1" : "", { status: isRight ? 200 : 400 });
    }
    if (request.headers.get("x-aws-ec2-metadata-token") !== "session-1") {
      return new Response("", { status: 401 });
    }
    if (pathname === "/latest/meta-data/iam/security-credentials/") {
      return new Response("gateway-role");
    }
    if (pathname === "/latest/meta-data/placement/region") return new Response("eu-central-1");
    if (pathname === "/latest/meta-data/iam/security-credentials/gateway-role") {
      return this.#keysJson();
    }
    return new Response("", { status: 404 });
  };

  /** The service of a container, or of a pod, with its token. */
  readonly container = (token?: string) => (request: Request): Response =>
    request.headers.get("authorization") === (token ?? null)
      ? this.#keysJson()
      : new Response("Invalid token", { status: 401 });

  #keysJson(): Response {
    const { accessKeyId, secretAccessKey, sessionToken, endsAtMs } = this.issue();
    return Response.json({
      ...{ Code: "Success", AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey },
      ...{ Token: sessionToken, Expiration: new Date(endsAtMs).toISOString() },
    });
  }
}

function refusalOfIdentity(request: Request, form: URLSearchParams): Response | undefined {
  const isRight = !request.headers.has("authorization") && form.get("RoleArn") === role &&
    form.get("WebIdentityToken") === webToken && form.has("RoleSessionName");
  return isRight ? undefined : xmlError(400, "InvalidIdentityToken", "The token is not valid");
}

function signerOf(credentials: IssuedKeys, service: string, region: string): SignatureV4 {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  return new SignatureV4({
    ...{ service, region, sha256: Sha256, applyChecksum: false, uriEscapePath: true },
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
  });
}

function timeOf(text: string | null): number {
  return Date.parse(
    (text ?? "").replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
}

function xmlError(status: number, code: string, message: string): Response {
  return new Response(
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
    { status },
  );
}
