import type { UpstreamRecord } from "../../store/catalog/mod.ts";
import type { ConnectionReport } from "../../upstreams/mod.ts";

/** The fault of an upstream in a cloud. */
export type CloudAdvice =
  | "clock"
  | "region"
  | "right"
  | "access"
  | "expired"
  | "secret"
  | "quota"
  | "deployment"
  | "machine";

/** The words of AWS, Google and Microsoft for each fault, the more specific ones first (2026-11). */
const words: readonly (readonly [CloudAdvice, RegExp])[] = [
  ["machine", /allowMachineIdentity/],
  [
    "clock",
    /signature (expired|not yet current)|not yet valid|AADSTS7002(1|2)|invalid_grant.*(iat|clock)/i,
  ],
  ["expired", /expired|AADSTS7000222/i],
  [
    "region",
    /scoped to a valid region|not (supported|available|offered) in (this|your|the) (region|location)|invalid location/i,
  ],
  [
    "access",
    /access to the model|model access|not enabled|FAILED_PRECONDITION|use case details|not found in your project|does not have access to it/i,
  ],
  ["deployment", /DeploymentNotFound|deployment for this resource/i],
  [
    "right",
    /not authorized|AccessDenied|PERMISSION_DENIED|does not have permission|lacks? .*(permission|role)|required data action/i,
  ],
  ["quota", /quota|RESOURCE_EXHAUSTED|Throttling|too many (tokens|requests)/i],
  [
    "secret",
    /security token .* invalid|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|signature we calculated|invalid_client|invalid_grant|AADSTS\d+|invalid (api key|subscription key)|API key not valid/i,
  ],
];

/** The clock's difference at which clouds refuse signatures. */
const clockOffMsMax = 5 * 60_000;

/** The fault behind a failed test of an upstream in a cloud; undefined if its words are not known. */
function adviceOf(
  { isReady, state, said = "", clockAheadMs = 0 }: ConnectionReport,
): CloudAdvice | undefined {
  if (isReady) return undefined;
  if (Math.abs(clockAheadMs) > clockOffMsMax) return "clock";
  const found = words.find(([, pattern]) => pattern.test(said))?.[0];
  if (found !== undefined) return found;
  if (state === "name") return "region";
  return state === "key-refused" ? "secret" : undefined;
}

/** The part of a test's result that only an upstream in a cloud has. */
export interface CloudTest {
  /** The fault, in one word. */
  readonly advice?: CloudAdvice;
}

export function cloudTest(
  upstream: Pick<UpstreamRecord, "cloud">,
  report: ConnectionReport,
): CloudTest {
  const advice = upstream.cloud && adviceOf(report);
  return advice ? { advice } : {};
}
