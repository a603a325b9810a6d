import {
  type Advantage,
  type AssistantReply,
  dataUrl,
  fill,
  type PlacedCall,
  prettyJson,
  type Problem,
  type SentRequest,
  spanText,
  type ToolResult,
} from "../../lib/playground/mod.ts";
import { A } from "../A.tsx";
import { CopyButton, type CopyTexts } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import { More } from "../Panel.tsx";
import { Markdown } from "../markdown/Markdown.tsx";
import { untranslated } from "../untranslated.ts";
import type { PlaygroundTexts } from "./use_playground.ts";

interface ReplyTurnProps {
  readonly turn: AssistantReply;
  /** The results of the answer's tool calls. */
  readonly results: readonly ToolResult[];
  /** Set if the answer is cheaper or faster than those beside it. */
  readonly advantage: Advantage | undefined;
  readonly texts: PlaygroundTexts;
  readonly copyTexts: CopyTexts;
  /** Absent while an answer is running. */
  readonly onAgain?: () => void;
}

/** One streaming answer: reasoning, text, images, tool calls, error, and cost. */
export function ReplyTurn(props: ReplyTurnProps) {
  const { turn, results, advantage, texts, copyTexts } = props;
  const { answer: { reasoning, text, images, calls }, state, model } = turn;
  const growing = state === "running";
  return (
    <article class="panel reply" aria-label={model} aria-busy={growing}>
      <ReplyHead {...props} />
      <div class="reply-body">
        {reasoning && (
          <More class="fold" title={texts.thoughts} open={growing && text === ""}>
            <p class="words">{reasoning}</p>
          </More>
        )}
        {calls.map((call) => (
          <CallView
            key={call.id}
            call={call}
            result={results.find(({ callId }) => callId === call.id)}
            texts={texts}
          />
        ))}
        <Markdown // without a text too: its script loads while the model is still silent
          text={text}
          growing={growing}
          texts={{ copyCode: texts.copyCode, copy: copyTexts }}
        />
        {images.map((image, at) => (
          <img
            key={at}
            class="picture"
            src={dataUrl(image)}
            alt={fill(texts.picture, { number: at + 1, model })}
          />
        ))}
        <ReplyState {...props} />
        {!growing && <RawView turn={turn} texts={texts} />}
      </div>
      {!growing && <ReplyFacts turn={turn} advantage={advantage} texts={texts} />}
    </article>
  );
}

function ReplyHead({ turn, texts, copyTexts, onAgain }: ReplyTurnProps) {
  const { answer: { text }, state, model } = turn;
  return (
    <header>
      <h3 {...untranslated}>{model}</h3>
      <span class="spacer" />
      {onAgain && state !== "running" && (
        <button
          class="icon-button with-script"
          type="button"
          aria-label={texts.regenerate}
          title={texts.regenerate}
          onClick={onAgain}
        >
          <Icon name="refresh-cw" />
        </button>
      )}
      {text && <CopyButton text={text} label={texts.copyAnswer} texts={copyTexts} />}
    </header>
  );
}

/** A note on an answer that is running, empty, stopped or incomplete. */
function ReplyState({ turn, texts }: ReplyTurnProps) {
  const { answer: { reasoning, text, images, calls, problem }, state, receipt } = turn;
  const silent = [reasoning, text, images, calls].every(({ length }) => length === 0);
  return (
    <>
      {state === "running" && <p class="soft">{silent ? texts.waiting : texts.speaking}</p>}
      {state === "whole" && silent && <p class="soft">{texts.emptyAnswer}</p>}
      {state === "stopped" && <p class="soft">{texts.stopped}</p>}
      {state === "broken" && (
        <div class="alert">
          <Icon name="circle-alert" />
          <p>{texts.broken}</p>
        </div>
      )}
      {problem && (
        <ProblemView problem={problem} begun={!silent} remedy={receipt?.remedy} texts={texts} />
      )}
    </>
  );
}

/** The request and the answer as sent over the wire. */
function RawView({ turn, texts }: { turn: AssistantReply; texts: PlaygroundTexts }) {
  return (
    <More class="fold raw" title={texts.raw}>
      <h4>{texts.rawRequest}</h4>
      <pre tabIndex={0} role="region" aria-label={texts.rawRequest}><code
        {...untranslated}
      >{shownRequest(turn.request)}</code></pre>
      <h4>{texts.rawResponse}</h4>
      {turn.raw === ""
        ? <p class="hint">{texts.nothingYet}</p>
        : (
          <pre tabIndex={0} role="region" aria-label={texts.rawResponse}><code
            {...untranslated}
          >{prettyJson(turn.raw)}</code></pre>
        )}
    </More>
  );
}

/** Longer texts are file contents, and are shortened. */
const textCharsMax = 4_000;

/** The request with file contents shortened. */
function shownRequest({ path, body }: SentRequest): string {
  const shorten = (_: string, value: unknown) =>
    typeof value === "string" && value.length > textCharsMax
      ? `${value.slice(0, 80)}… (${value.length})`
      : value;
  return `POST ${path}\n\n${JSON.stringify(body, shorten, 2)}`;
}

/** A tool call of the model, with the result that the user gave. */
function CallView(
  { call, result, texts }: {
    call: PlacedCall;
    result: ToolResult | undefined;
    texts: PlaygroundTexts;
  },
) {
  const { name, afterMs } = call;
  const json = prettyJson(call.json);
  return (
    <section class="tool-call" aria-label={fill(texts.calls, { name })}>
      <p>
        <Icon name="wrench" small />
        <b {...untranslated}>{name}</b>
        <span class="spacer" />
        {afterMs !== undefined && (
          <span class="hint">{fill(texts.after, { span: spanText(afterMs) })}</span>
        )}
      </p>
      {json === "" || json === "{}"
        ? <p class="hint">{texts.noArguments}</p>
        : <pre tabIndex={0}><code {...untranslated}>{json}</code></pre>}
      {result && (
        <More class="fold" title={texts.toolResult}>
          <pre tabIndex={0}><code {...untranslated}>{result.text}</code></pre>
        </More>
      )}
    </section>
  );
}

/** The error of a call, and its remedy. */
function ProblemView(
  { problem, begun, remedy, texts }: {
    problem: Problem;
    /** Set if part of the answer arrived. */
    begun: boolean;
    remedy?: string;
    texts: PlaygroundTexts;
  },
) {
  const { status, code, message, retryAfterSeconds: seconds } = problem;
  return (
    <div class="alert">
      <Icon name="circle-alert" />
      <div>
        <p>
          <strong>{titleOf(problem, begun, texts)}</strong>
          {code && <code class="faint">{status ? ` ${status} ${code}` : ` ${code}`}</code>}
        </p>
        {!isSignedOut(problem) && <p>{message || ownWords(status, texts)}</p>}
        {remedy && <p class="soft">{remedy}</p>}
        {seconds !== undefined && <p class="soft">{fill(texts.wait, { seconds })}</p>}
        {code === "insufficient_quota" && (
          <A class="link" href="/console/topup">
            {texts.addFunds}
          </A>
        )}
        {isSignedOut(problem) && (
          <A class="link" href="/login?next=/console/playground">{texts.signIn}</A>
        )}
      </div>
    </div>
  );
}

function titleOf(problem: Problem, begun: boolean, texts: PlaygroundTexts): string {
  const { status, code } = problem;
  if (isSignedOut(problem)) return texts.signedOut;
  if (code === "insufficient_quota") return texts.noFunds;
  if (begun) return texts.failedMid;
  if (status === 429) return texts.tooMany;
  return status !== undefined && status < 500 ? texts.refused : texts.failed;
}

/** The text for an error of the console itself, whose answer has nothing but a status. */
function ownWords(status: number | undefined, texts: PlaygroundTexts): string {
  if (status === 403) return texts.notAllowed;
  return status === undefined ? texts.unreachable : texts.noGateway;
}

function isSignedOut({ status, code }: Problem): boolean {
  return status === 401 && code === "";
}

type ReplyFactsProps = Pick<ReplyTurnProps, "turn" | "advantage" | "texts">;

/** The time, speed, cost and tokens from the log, with a link to the call. */
function ReplyFacts({ turn, advantage, texts }: ReplyFactsProps) {
  const { answer: { finish }, receipt } = turn;
  const better = advantage ? advantageTexts(advantage, texts) : [];
  return (
    <footer class="reply-facts">
      {receipt && (
        <dl>
          {receipt.figures.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <ul>
        {receipt?.tokens && <li>{receipt.tokens}</li>}
        {better.map((text) => <li key={text} class="better">{text}</li>)}
        {finish && <li>{fill(texts.finish, { reason: finish })}</li>}
        <RequestLink turn={turn} texts={texts} />
      </ul>
    </footer>
  );
}

function advantageTexts({ cheaperPercent, fasterMs }: Advantage, texts: PlaygroundTexts): string[] {
  return [
    ...(cheaperPercent ? [fill(texts.cheaper, { percent: cheaperPercent })] : []),
    ...(fasterMs ? [fill(texts.faster, { span: spanText(fasterMs) })] : []),
  ];
}

/** A link, once the log has the call. */
function RequestLink({ turn: { requestId, receipt }, texts }: Omit<ReplyFactsProps, "advantage">) {
  if (!requestId) return null;
  const id = <code {...untranslated}>{`${requestId.slice(0, 8)}…${requestId.slice(-4)}`}</code>;
  return (
    <li title={requestId}>
      {receipt
        ? (
          <A href={`/console/log/${requestId}`}>
            <span class="unseen">{texts.openCall}</span>
            {id}
          </A>
        )
        : id}
    </li>
  );
}
