import type { UpstreamRecord } from "../../store/catalog/mod.ts";

/** The direction in which an upstream moves. */
type Move = "earlier" | "later";

/**
 * The priority that moves an upstream to the next group of equal priority, or to a group of its own
 * beyond the last one. Undefined if it is already alone there.
 */
export function movedPriority(
  { id, priority }: Pick<UpstreamRecord, "id" | "priority">,
  upstreams: readonly Pick<UpstreamRecord, "id" | "priority">[],
  move: Move,
): number | undefined {
  const others = upstreams.filter((one) => one.id !== id).map((one) => one.priority);
  const isEarlier = move === "earlier";
  const beyond = others.filter((one) => isEarlier ? one > priority : one < priority);
  if (beyond.length > 0) return isEarlier ? Math.min(...beyond) : Math.max(...beyond);
  if (!others.includes(priority)) return undefined;
  return priority + (isEarlier ? 1 : -1);
}

/** The priority and weight of a posted form; undefined if one of them is invalid. */
export function readOrder(
  form: URLSearchParams,
): Pick<UpstreamRecord, "priority" | "weight"> | undefined {
  const [priority, weight] = ["priority", "weight"].map((name) => (form.get(name) ?? "").trim());
  if (!isPriority(priority) || !isWeight(weight)) return undefined;
  return { priority: Number(priority), weight: Number(weight) };
}

export function isPriority(text: string): boolean {
  return /^-?\d{1,6}$/.test(text);
}

export function isWeight(text: string): boolean {
  return /^[1-9]\d{0,5}$/.test(text);
}
