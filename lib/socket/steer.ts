import { isJsonObject, type JsonObject, type JsonValue } from "../canonical/mod.ts";
import { inLane } from "./frames.ts";

/** A user's words for a response that runs, from their acceptance until a response has taken them. */
export interface Steer {
  readonly id: string;
  readonly previousId: string;
  /** As the client sent it, so that it can be given back. */
  readonly input: JsonValue;
  readonly items: readonly JsonObject[];
  /** Gives the memory of its frame back. */
  readonly release: () => void;
}

export type SteerFault =
  | "response_not_found"
  | "invalid_input"
  | "steering_not_supported"
  | "too_many_pending_steers"
  | "response_already_completed"
  | "response_not_active"
  | "successor_creation_failed";

const faults: Readonly<Record<SteerFault, string>> = {
  response_not_found: "This socket has no such response. Nothing was added",
  invalid_input: "input must be a text, or a list of user messages. Nothing was added",
  steering_not_supported:
    "A response in a conversation, or with automatic compaction, takes no more input. Nothing was added",
  too_many_pending_steers: "The response has no room for more input. Wait until it has ended",
  response_already_completed: "The response has ended. Send the input with response.create",
  response_not_active: "Another response has started in this lane. Send the input again",
  successor_creation_failed: "The response that should take the input failed. Send the input again",
};

/** The most inputs that wait for one response. */
export const steersMax = 8;

const partTypes: ReadonlySet<JsonValue | undefined> = new Set([
  "input_text",
  "input_image",
  "input_file",
]);

/** The items of a steer's input; undefined if it is not one. */
export function steerItems(input: JsonValue | undefined): readonly JsonObject[] | undefined {
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  if (!Array.isArray(input) || input.length === 0) return undefined;
  const items = input.filter(isUserMessage);
  return items.length === input.length ? items : undefined;
}

function isUserMessage(item: JsonValue): item is JsonObject {
  if (!isJsonObject(item) || item.role !== "user") return false;
  if (item.type !== undefined && item.type !== "message") return false;
  if (Object.keys(item).some((name) => !["type", "role", "content"].includes(name))) return false;
  const { content } = item;
  if (typeof content === "string") return true;
  return Array.isArray(content) && content.length > 0 &&
    content.every((part) => isJsonObject(part) && partTypes.has(part.type));
}

interface Place {
  readonly lane: string;
  readonly sequence_number: number;
}

export function acceptedFrame({ id, previousId }: Steer, { lane, ...place }: Place): string {
  const steer = { id, previous_response_id: previousId };
  return inLane(JSON.stringify({ type: "response.steer.accepted", ...place, steer }), lane);
}

export function pendingFrame(
  { id, previousId }: Steer,
  required_input: readonly JsonObject[],
  { lane, ...place }: Place,
): string {
  const steer = { id, previous_response_id: previousId };
  const reason = "waiting_for_required_input";
  const type = "response.steer.pending";
  return inLane(JSON.stringify({ type, ...place, reason, required_input, steer }), lane);
}

/** Gives the input back. */
export function failedFrame(
  { id, previousId, input }: Partial<Steer>,
  code: SteerFault,
  { lane, ...place }: Place,
): string {
  const steer = { previous_response_id: previousId ?? null, input: input ?? null, id };
  const error = { type: "invalid_request_error", code, message: faults[code] };
  return inLane(JSON.stringify({ type: "response.steer.failed", ...place, steer, error }), lane);
}
