/** An event of a chat-completions stream; `members` are added beside its only choice. */
export function chatChunk(
  choice: { readonly delta?: unknown; readonly finish?: string | null; readonly index?: number },
  members: object = {},
): string {
  const { delta = {}, finish = null, index = 0 } = choice;
  return dataEvent({ choices: [{ index, delta, finish_reason: finish }], ...members });
}

/** The event with the usage after the last choice. */
export function chatUsageChunk(usage: unknown): string {
  return dataEvent({ choices: [], usage });
}

function dataEvent(members: object): string {
  const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
  return `data: ${JSON.stringify({ ...head, ...members })}\n\n`;
}
