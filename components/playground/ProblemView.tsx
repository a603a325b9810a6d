import { fill, type Problem } from "../../lib/playground/mod.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import type { PlaygroundTexts } from "./texts.ts";

/** The error of a call, and its remedy. */
export function ProblemView(
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
