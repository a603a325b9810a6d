import OpenCalls from "../../islands/OpenCalls.tsx";
import type { FoundCall } from "../../lib/console/calls/call_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { ContentPanel } from "./CallContent.tsx";
import { CallDetails, CallFacts } from "./CallFacts.tsx";
import { CallCost, CallFigures } from "./CallFigures.tsx";
import { CallTimeline } from "./CallTimeline.tsx";
import { CallVerdict, SameFailure } from "./CallVerdict.tsx";

interface CallDrawerProps {
  readonly view: AccountView;
  /** The open call; absent while the drawer is closed. */
  readonly open: FoundCall | undefined;
  /** The calls of the list, in its order. */
  readonly ids: readonly string[];
  /** The address of the list, with a call open or with none. */
  readonly hrefOf: (id?: string) => string;
}

/**
 * The open call beside its list. Each link is an address of the page with both; with a script only
 * the call is loaded.
 */
export function CallDrawer({ view, open, ids, hrefOf }: CallDrawerProps) {
  const { catalog: { logPage, copy } } = view;
  const at = open ? ids.indexOf(open.call.id) : -1;
  const [newer, older] = at < 0 ? [] : [ids[at - 1], ids[at + 1]];
  return (
    <aside class="drawer" id="drawer" aria-label={logPage.drawer} hidden={!open}>
      <header>
        <Step href={newer && hrefOf(newer)} by="-1" label={logPage.previousCall} icon="arrow-up" />
        <Step href={older && hrefOf(older)} by="1" label={logPage.nextCall} icon="arrow-down" />
        <span class="spacer" />
        <A class="link" id="whole-call" href={open && `/console/log/${open.call.id}`}>
          {logPage.wholeCall}
        </A>
        <A
          class="icon-button"
          id="close-call"
          href={hrefOf()}
          aria-label={logPage.closeCall}
          data-key-escape
        >
          <Icon name="x" />
        </A>
      </header>
      {open ? <CallDetail view={view} open={open} /> : <div id="call-detail" />}
      <OpenCalls copied={copy.copied} />
    </aside>
  );
}

/** Opens the neighbor of the open call; without one it is no link. */
function Step(
  { href, by, label, icon }: {
    href: string | undefined;
    by: string;
    label: string;
    icon: "arrow-up" | "arrow-down";
  },
) {
  return (
    <A
      class="icon-button"
      href={href || undefined}
      role="link"
      data-step={by}
      aria-label={label}
      aria-disabled={href ? undefined : true}
    >
      <Icon name={icon} />
    </A>
  );
}

/** A call in the drawer: the same parts as its page, one below the other. */
export function CallDetail({ view, open }: { view: AccountView; open: FoundCall }) {
  const { call, failed, account, content } = open;
  return (
    <div id="call-detail">
      <CallVerdict view={view} call={call} {...failed} />
      <CallFigures view={view} call={call} />
      <CallTimeline view={view} call={call} untried={failed.untried} />
      {content && <ContentPanel view={view} id={call.id} content={content} />}
      <CallCost view={view} call={call} />
      {failed.same && <SameFailure view={view} call={call} same={failed.same} />}
      <CallFacts view={view} call={call} account={account} />
      <CallDetails view={view} call={call} />
    </div>
  );
}
