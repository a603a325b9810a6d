import { errorCatalog, type ErrorCode } from "../../canonical/mod.ts";
import { defaultModel } from "../../catalog/mod.ts";
import type { ArrivedCall } from "../../store/api_keys/mod.ts";
import { formatsFor } from "../page/format.ts";
import type { AccountState } from "../session/state.ts";
import {
  type CheckedKey,
  consoleUserAgent,
  type Finding,
  findingOf,
  type FindingScene,
  whyUnusable,
} from "./findings.ts";

/** One step of the console's own check. */
export interface CheckStep {
  readonly title: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly tookMs?: number;
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** The subject of a check: key, model and address. */
export interface CheckAsked {
  readonly state: AccountState;
  readonly origin: string;
  readonly ip: string;
  readonly signal: AbortSignal;
  readonly model: string | undefined;
  /** The client's recent calls. */
  readonly lately: readonly ArrivedCall[];
}

/** The way in which a check reaches the gateway. */
interface Way {
  readonly key: CheckedKey;
  readonly isKnown: boolean;
  readonly models: () => Promise<readonly string[] | Response>;
  readonly call: (request: Request) => Promise<Response>;
}

/** Runs the verification steps of the specification, until one fails. */
export async function checkSteps(way: Way, asked: CheckAsked): Promise<readonly CheckStep[]> {
  const { check: texts } = asked.state.catalog;
  const scene = sceneOf(way, asked);
  const { step: first, models } = await modelsStep(way, scene);
  const skipped = (title: string) =>
    ({ title, state: "skipped", text: texts.notTried, findings: [] }) as const;
  if (first.state !== "passed") {
    return [first, skipped(texts.stepCall), skipped(texts.stepClient)];
  }
  const model = models.find((id) => id === asked.model) ??
    defaultModel(models.map((id) => ({ id })), asked.state.nowMs) ?? models[0];
  const second = await callStep(way, model, { scene, asked });
  if (second.state !== "passed") return [first, second, skipped(texts.stepClient)];
  return [first, second, clientStep(scene, asked)];
}

function sceneOf({ key }: Way, { state, origin }: CheckAsked): FindingScene {
  return { key, origin, catalog: state.catalog, formats: formatsFor(state) };
}

async function modelsStep(
  way: Way,
  scene: FindingScene,
): Promise<{ readonly step: CheckStep; readonly models: readonly string[] }> {
  const { check: texts } = scene.catalog;
  const startedAt = performance.now();
  const found = whyUnusable(way.key) === undefined ? await way.models() : refusedKey();
  const tookMs = Math.round(performance.now() - startedAt);
  const title = texts.stepKey;
  if (found instanceof Response) {
    const faults = await answerFindings(found, { scene, path: "/v1/models", isKnown: way.isKnown });
    return { step: { title, state: "failed", tookMs, text: "", findings: faults }, models: [] };
  }
  const text = found.length > 0 ? texts.modelCount(found.length) : texts.noModels;
  const state = found.length > 0 ? "passed" : "failed";
  return { step: { title, state, tookMs, text, findings: [] }, models: found };
}

function refusedKey(): Response {
  return Response.json({ error: { code: "invalid_api_key" } }, { status: 401 });
}

async function callStep(
  way: Way,
  model: string,
  { scene, asked }: { readonly scene: FindingScene; readonly asked: CheckAsked },
): Promise<CheckStep> {
  const { check: texts } = scene.catalog;
  const path = "/v1/chat/completions";
  const startedAt = performance.now();
  const response = await way.call(callOf(asked, path, model));
  const findings = response.ok
    ? []
    : await answerFindings(response, { scene, path, model, isKnown: way.isKnown });
  if (response.ok) await response.text();
  return {
    title: texts.stepCall,
    state: response.ok ? "passed" : "failed",
    tookMs: Math.round(performance.now() - startedAt),
    text: response.ok ? texts.callPassed(model) : "",
    findings,
  };
}

function callOf({ origin, signal }: CheckAsked, path: string, model: string): Request {
  return new Request(origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": consoleUserAgent },
    body: JSON.stringify({
      model,
      messages: [{ role: "user", content: "Answer with the word OK." }],
      max_completion_tokens: 64,
    }),
    signal,
  });
}

/** The client's recent calls, shown once the gateway's own check succeeded. */
function clientStep(scene: FindingScene, { lately }: CheckAsked): CheckStep {
  const { check: texts } = scene.catalog;
  const fromClient = lately.filter(({ userAgent }) => userAgent !== consoleUserAgent);
  const last = fromClient.at(-1);
  const title = texts.stepClient;
  if (last && last.errorCode === undefined) {
    return { title, state: "passed", text: texts.clientWell, findings: [] };
  }
  const faults = fromClient.toReversed().map((one) => findingOf(one, scene))
    .filter(({ tone }) => tone === "bad").slice(0, 3);
  return faults.length > 0
    ? { title, state: "failed", text: texts.clientFaults, findings: faults }
    : { title, state: "skipped", text: texts.clientQuiet, findings: [] };
}

/** The request of a check, and its key. */
interface Answered {
  readonly scene: FindingScene;
  readonly path: string;
  readonly model?: string;
  /** True if the key belongs to the account. */
  readonly isKnown: boolean;
}

/** The fault of a refused call, read from the gateway's answer. */
async function answerFindings(
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
