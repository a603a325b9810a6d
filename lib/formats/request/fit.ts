import {
  type CanonicalRequest,
  type Change,
  distinctTools,
  type FormatName,
  type NativeFields,
  type NativePart,
  type Part,
  type Tool,
  type Turn,
} from "../../canonical/mod.ts";
import { unsupported } from "../error.ts";
import { objectOf, restOf, textOf } from "../wire_value.ts";

/**
 * Fits a request to a format with one set of settings per request: changes within the conversation
 * apply to all of it, the last one wins, and messages that the model no longer sees are left out. A
 * request of the format itself stays unchanged.
 */
export function withFinalSettings(
  request: CanonicalRequest & { readonly native?: NativeFields },
  format: FormatName,
  notes: { add(id: "settings" | "outlived", path: string): void },
): CanonicalRequest {
  if (request.native?.format === format || !request.turns.some(isAffected)) return request;
  const changes: Change[] = [];
  const turns = request.turns.flatMap((turn, at) => {
    const found = changesIn(turn);
    changes.push(...found);
    if (found.length > 0) notes.add("settings", `turns[${at}]`);
    if (turn.isOutlived) notes.add("outlived", `turns[${at}]`);
    return isAffected(turn) ? unchangingTurn(turn) : [turn];
  });
  return withChanges({ ...request, turns }, changes);
}

function isAffected(turn: Turn): boolean {
  return turn.isOutlived === true || turn.change !== undefined ||
    turn.parts.some((part) => changeOf(part) !== undefined);
}

function changesIn({ change, parts }: Turn): Change[] {
  return [...(change ? [change] : []), ...parts.flatMap((part) => changeOf(part) ?? [])];
}

function changeOf(part: Part): Change | undefined {
  return part.type === "native" ? part.change : undefined;
}

/** A turn without its changes; empty if it has no other parts. */
function unchangingTurn({ change: _, isOutlived, ...turn }: Turn): Turn[] {
  const parts = isOutlived ? [] : turn.parts.filter((part) => changeOf(part) === undefined);
  return parts.length > 0 ? [{ ...turn, parts }] : [];
}

function withChanges(request: CanonicalRequest, changes: readonly Change[]): CanonicalRequest {
  const effort = changes.findLast((change) => change.effort !== undefined)?.effort;
  const output = changes.findLast((change) => change.output !== undefined)?.output;
  return {
    ...request,
    tools: offeredTools(request.tools, changes),
    ...(effort !== undefined && { reasoning: { ...request.reasoning, effort } }),
    ...(output && { output }),
  };
}

/** The tools offered at the end, each once; the last definition counts. */
function offeredTools(tools: readonly Tool[], changes: readonly Change[]): readonly Tool[] {
  const removed = new Set<string>();
  for (const { addedTools = [], removedTools = [] } of changes) {
    for (const name of removedTools) removed.add(name);
    for (const name of addedTools) removed.delete(name);
  }
  return distinctTools(tools).filter((tool) => !("name" in tool) || !removed.has(tool.name));
}

/**
 * Throws `unsupported_parameter` for content of the caller, or of a tool's result, that only another
 * format has and that has no text: without it the request would mean something else.
 */
export function assertContentFits({ turns }: CanonicalRequest, format: FormatName): void {
  for (const [index, { role, parts }] of turns.entries()) {
    assertParts(parts, `turns[${index}]`, { format, isAsked: role !== "assistant" });
  }
}

function assertParts(
  parts: readonly Part[],
  path: string,
  side: { readonly format: FormatName; readonly isAsked: boolean },
): void {
  for (const [at, part] of parts.entries()) {
    const place = `${path}.parts[${at}]`;
    if (part.type === "tool-result") assertParts(part.parts, place, { ...side, isAsked: true });
    else if (side.isAsked && isLost(part, side.format)) throw unreadable(part, place);
  }
}

function isLost(part: Part, to: FormatName): part is NativePart {
  return part.type === "native" && part.isContent === true && part.format !== to &&
    part.text === undefined;
}

function unreadable(part: NativePart, path: string) {
  const value = objectOf(part.value);
  const name = (textOf(value.type) || Object.keys(restOf(value, [])).join(", ")).slice(
    0,
    nameCharsMax,
  );
  return unsupported(
    path,
    `is a part of type ${name} of the ${part.format} format, which is not converted. Send its content as text, an image or a file`,
  );
}

const nameCharsMax = 100;

/**
 * Throws `unsupported_parameter` if all tools belong to MCP servers, which upstreams of the format
 * cannot call.
 */
export function assertToolsBesideMcp({ tools }: CanonicalRequest, format: FormatName): void {
  const isMcp = tools.map((tool) => tool.type === "native" && tool.mcp !== undefined);
  if (!isMcp.includes(true) || isMcp.includes(false)) return;
  throw unsupported(
    "tools",
    `are all from MCP servers, which upstreams of the ${format} format cannot call. Choose a model with another upstream`,
  );
}
