import type { FormatName } from "../../../lib/canonical/mod.ts";
import type { Conversation, MatrixClient, SdkAnswer } from "./matrix.ts";
import type { Command } from "./programs/serve.ts";

/** A program's command and its SDK. */
export interface ProgramSetting {
  readonly format: FormatName;
  readonly command: string;
  readonly args: readonly string[];
  readonly modelPrefix?: MatrixClient["modelPrefix"];
}

/** An SDK that runs as a program of its own, as one of the matrix. */
export interface ProgramClient extends MatrixClient, AsyncDisposable {}

/** A line of a program's output: an answer, a failure, the first words, or the end. */
interface Line {
  readonly answer?: SdkAnswer;
  readonly failed?: {
    readonly status?: number | null;
    readonly requestId?: string | null;
    readonly words: string;
  };
  readonly text?: true;
  readonly ended?: true;
}

/** A failure that the SDK reported to the program. */
class ProgramFailure extends Error {
  constructor({ status, requestId, words }: NonNullable<Line["failed"]>) {
    super(words);
    this.status = status ?? undefined;
    this.requestId = requestId ?? undefined;
  }
  readonly status: number | undefined;
  readonly requestId: string | undefined;
}

/** Starts the program; it speaks in lines of JSON. */
export function startProgram(
  { format, command, args, modelPrefix }: ProgramSetting,
): ProgramClient {
  const child = new Deno.Command(command, {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  const lines = linesOf(child.stdout);
  const send = async (sent: Command) => {
    await writer.write(new TextEncoder().encode(`${JSON.stringify(sent)}\n`));
  };
  const next = async (): Promise<Line> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${args.join(" ")} ended`);
    if (value.failed) throw new ProgramFailure(value.failed);
    return value;
  };
  return {
    format,
    showsImagesInResults: false,
    modelPrefix,
    start: (asking, { base, key }) => {
      const ready = send({ do: "start", asking, base, key });
      return conversation(async (sent) => {
        await ready;
        await send(sent);
      }, next);
    },
    statusOf: (error) => error instanceof ProgramFailure ? error.status : undefined,
    requestIdOf: (error) => error instanceof ProgramFailure ? error.requestId : undefined,
    [Symbol.asyncDispose]: async () => {
      await writer.close().catch(() => {}); // it may have ended by itself
      await lines.return(undefined);
      await child.status;
    },
  };
}

function conversation(
  send: (sent: Command) => Promise<void>,
  next: () => Promise<Line>,
): Conversation {
  return {
    say: (text, imagePng) => void send({ do: "say", text, imagePng }),
    answerCalls: (results) => void send({ do: "answerCalls", results }),
    ask: async (way) => {
      await send({ do: "ask", way });
      const { answer } = await next();
      if (!answer) throw new Error("the program answered something else");
      return answer;
    },
    listen: async (signal, onText) => {
      signal.addEventListener("abort", () => void send({ do: "abort" }));
      await send({ do: "listen" });
      for (let line = await next(); !line.ended; line = await next()) onText();
    },
  };
}

async function* linesOf(stdout: ReadableStream<Uint8Array>): AsyncGenerator<Line, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}
