import { TextLineStream } from "./text_line_stream.ts";
import type { Asking, Connection, Conversation, MatrixClient, ToolAnswer, Way } from "../matrix.ts";

/** An SDK as a program of its own: what it begins, and how its errors are read. */
export interface Program extends Pick<MatrixClient, "statusOf" | "requestIdOf"> {
  start(asking: Asking, connection: Omit<Connection, "fetch">): Conversation;
}

/** The test's commands to a program, each a line of JSON. */
export type Command =
  | {
    readonly do: "start";
    readonly asking: Asking;
    readonly base: string;
    readonly key: string;
  }
  | { readonly do: "say"; readonly text: string; readonly imagePng?: string }
  | { readonly do: "answerCalls"; readonly results: readonly ToolAnswer[] }
  | { readonly do: "ask"; readonly way: Way }
  | { readonly do: "listen" }
  | { readonly do: "abort" };

/** Does what the lines of its input say, one after the other, and answers each with a line. */
export async function serve(program: Program): Promise<void> {
  const hearing = { abort: new AbortController() };
  let talk: Conversation | undefined;
  const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
    .pipeThrough(
      new TextLineStream(),
    );
  for await (const line of lines) {
    const command: Command = JSON.parse(line);
    if (command.do === "start") talk = program.start(command.asking, command);
    else if (command.do === "abort") hearing.abort.abort();
    else if (talk && command.do === "listen") {
      hearing.abort = new AbortController();
      listen(talk, hearing.abort.signal);
    } else if (talk) await perform(command, talk, program);
  }
}

async function perform(
  command: Command,
  talk: Conversation,
  program: Program,
): Promise<void> {
  try {
    if (command.do === "say") talk.say(command.text, command.imagePng);
    if (command.do === "answerCalls") talk.answerCalls(command.results);
    if (command.do === "ask") tell({ answer: await talk.ask(command.way) });
  } catch (error) {
    tell({
      failed: {
        status: program.statusOf(error),
        requestId: program.requestIdOf(error),
        words: error instanceof Error ? error.stack : String(error),
      },
    });
  }
}

function listen(talk: Conversation, signal: AbortSignal): void {
  talk.listen(signal, () => tell({ text: true })).then(() => {}, () => {})
    .finally(() => tell({ ended: true }));
}

function tell(answer: object): void {
  Deno.stdout.writeSync(
    new TextEncoder().encode(`${JSON.stringify(answer)}\n`),
  );
}
