import { Head } from "fresh/runtime";
import LiveCheck from "../../islands/LiveCheck.tsx";
import type { CheckView } from "../../lib/console/connect/findings.ts";
import { nothingYet } from "../../lib/console/connect/live_check.ts";
import type { AccountView } from "../../lib/console/page/view.ts";

interface LiveCheckOfProps {
  readonly view: AccountView;
  readonly apiKey: { readonly id: string; readonly name: string };
  readonly sinceMs: number;
  readonly seen: CheckView;
  /** The address of the page with the received calls, for browsers without JavaScript. */
  readonly look: string;
  /** Set on that page, which reloads itself. */
  readonly looking?: boolean;
  /** The fields of the test call; absent if the page makes test calls another way. */
  readonly test?: Readonly<Record<string, string>>;
}

/** The live connection check of one key, in the reader's language. */
export function LiveCheckOf(
  { view, apiKey, sinceMs, seen, look, looking = false, test }: LiveCheckOfProps,
) {
  const { catalog: { check, copy, connect } } = view;
  const events = new URLSearchParams({ key: apiKey.id, since: String(sinceMs) });
  return (
    <>
      {looking && !seen.connected && (
        <Head>
          <noscript>
            <meta http-equiv="refresh" content="5" />
          </noscript>
        </Head>
      )}
      <LiveCheck
        events={`/console/connect/events?${events}`}
        look={look}
        view={seen}
        begun={looking}
        texts={{
          idle: { title: check.idle, text: check.idleText },
          waiting: { title: check.waiting(apiKey.name), text: check.waitingText },
          timedOut: { title: check.timedOut(apiKey.name), text: check.timedOutText },
          received: check.connected(apiKey.name),
          look: looking ? check.lookAgain : check.wait,
          listen: check.wait,
          copyUrl: connect.copyUrl,
          test: check.sendTest,
        }}
        copy={copy}
        {...(test && { test })}
      />
    </>
  );
}

export interface FirstCheckProps extends Pick<LiveCheckOfProps, "view" | "apiKey" | "sinceMs"> {
  readonly model: string;
  /** The page that waits, and its fields of the test call; the default is the page of clients. */
  readonly live?: Pick<LiveCheckOfProps, "seen" | "look" | "looking"> & {
    readonly fields: Readonly<Record<string, string>>;
  };
}

/** The check of a key before its first call, which a test call with the model can be. */
export function FirstCheck({ model, live, ...props }: FirstCheckProps) {
  const { apiKey: { id: key }, sinceMs } = props;
  const { fields, ...page } = live ??
    { seen: nothingYet, look: `/console/connect?key=${key}&since=${sinceMs}`, fields: {} };
  return <LiveCheckOf {...props} {...page} test={{ key, model, ...fields }} />;
}
