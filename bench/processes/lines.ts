/** The lines of a stream of text. */
export async function* linesOf(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const part of bytes) {
    const [first = "", ...rest] = decoder.decode(part, { stream: true }).split("\n");
    parts.push(first);
    for (const text of rest) {
      yield parts.join("");
      parts = [text];
    }
  }
}

/** Answers each order, a line of JSON on standard input, with a line on standard output. */
export async function takeOrders<Order, Answer>(
  answer: (order: Order) => Promise<Answer> | Answer,
): Promise<void> {
  for await (const line of linesOf(Deno.stdin.readable)) {
    console.log(JSON.stringify(await answer(JSON.parse(line))));
  }
}
