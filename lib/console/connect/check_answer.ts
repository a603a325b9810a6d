import { errorCatalog, type ErrorCode } from "../../canonical/mod.ts";
import type { Finding, FindingScene } from "./check_faults.ts";
import { findingOf } from "./findings.ts";

/** The request of a check, and its key. */
interface Answered {
  readonly scene: FindingScene;
  readonly path: string;
  readonly model?: string;
  /** True if the key belongs to the account. */
  readonly isKnown: boolean;
}

/** The fault of a refused call, read from the gateway's answer. */
export async function answerFindings(
  response: Response,
  { scene, path, model, isKnown }: Answered,
): Promise<readonly Finding[]> {
  const { code, message } = errorIn(await response.text());
  const { came: _, ...finding } = findingOf({
    id: response.headers.get("x-request-id") ?? "",
    atMs: 0,
    method: "",
    path,
    format: "chat-completions",
    carried: isKnown ? "key" : "unknown",
    ...(model !== undefined && { model }),
    errorCode: code,
    ...(message !== undefined && { message }),
  }, scene);
  return [finding];
}

function errorIn(text: string): { readonly code: ErrorCode; readonly message?: string } {
  try {
    const { error } = JSON.parse(text);
    const code: ErrorCode = isErrorCode(error.code) ? error.code : "internal_error";
    return { code, ...(typeof error.message === "string" && { message: error.message }) };
  } catch {
    return { code: "internal_error" };
  }
}

function isErrorCode(text: unknown): text is ErrorCode {
  return typeof text === "string" && Object.hasOwn(errorCatalog, text);
}
