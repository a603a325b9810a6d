import type { CallFix } from "../../lib/console/calls/call_fix.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { A } from "../A.tsx";
import { CopyButton } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";

interface FixCallProps {
  readonly view: AccountView;
  readonly call: RequestLogRow;
  readonly fix: CallFix | undefined;
  readonly contact: string;
  readonly link: string;
  /** The advice, in a sentence. */
  readonly advice: string;
}

/** The one step that ends a failure, a retry, and why. */
export function FixCall(props: FixCallProps) {
  const { view, view: { catalog: { callFailure: failure }, user }, call, fix, contact, advice } =
    props;
  const asks = fix?.isAdministrators && user.role !== "administrator";
  const retry = `/console/playground?${new URLSearchParams({ model: call.model })}`;
  return (
    <div class="fix">
      {asks ? <Ask {...props} /> : fix && <Fix view={view} call={call} fix={fix} />}
      {call.operation === "generate" && (
        <A class="button" href={retry}>
          <Icon name="refresh-cw" />
          {failure.retry}
        </A>
      )}
      <p class="hint">
        {advice} {asks && (contact ? failure.askText(contact) : failure.askAnyone)}
      </p>
    </div>
  );
}

/** A link, or a form if one click makes the fix. Its result is on the page of the call. */
function Fix(
  { view, call, fix }: Pick<FixCallProps, "view" | "call"> & { readonly fix: CallFix },
) {
  const text = fixText(view, fix);
  if (fix.model === undefined) return <A class="button primary" href={fix.href}>{text}</A>;
  return (
    <form method="post" action={fix.href}>
      <input type="hidden" name="model" value={fix.model} />
      <input type="hidden" name="back" value={`/console/log/${call.id}`} />
      <button class="button primary" type="submit">{text}</button>
    </form>
  );
}

function fixText({ catalog: { callFailure: { fixes } } }: AccountView, fix: CallFix): string {
  const text = fixes[fix.name];
  return typeof text === "string" ? text : text(fix.upstream ?? "");
}

function Ask({ view: { catalog: { callFailure: failure, copy } }, link, contact }: FixCallProps) {
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(contact);
  return (
    <>
      {isAddress && (
        <A class="button primary" href={`mailto:${contact}?body=${encodeURIComponent(link)}`}>
          {failure.ask}
        </A>
      )}
      <CopyButton text={link} label={failure.ask} texts={copy} isPrimary={!isAddress} isLoaded />
    </>
  );
}
