import { limitAmount, limitWords, showsAmounts } from "../../lib/console/calls/call_words.ts";
import type { AccountView, RequestLogRow } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";

interface RefusedByProps {
  readonly view: AccountView;
  readonly call: RequestLogRow;
  /** The operator's contact; empty if the settings name none. */
  readonly contact: string;
}

/** The limit that refused a call, its state at that time, and a link to change it. */
export function RefusedBy({ view, call, contact }: RefusedByProps) {
  const { refusedBy } = call;
  if (refusedBy === undefined) return null;
  const { catalog, formats } = view;
  const { limits } = catalog.logPage;
  const name = limitWords(refusedBy, catalog);
  const left = limitAmount(refusedBy, refusedBy.remaining, view);
  const { limit, resetsAtMs } = refusedBy;
  return (
    <p>
      {!showsAmounts(refusedBy, view.user)
        ? limits.usedUp(name)
        : limit === undefined
        ? limits.left(name, left)
        : limits.leftOf(name, limitAmount(refusedBy, limit, view), left)}
      {resetsAtMs !== undefined && ` ${limits.resets(formats.moment(resetsAtMs))}`}{" "}
      <Remedy view={view} call={call} contact={contact} />
    </p>
  );
}

function Remedy(
  { view: { catalog: { logPage: { limits } }, user }, call, contact }: RefusedByProps,
) {
  const name = call.refusedBy?.name ?? "";
  const [owner] = name.split(" ");
  if (name === "account balance") return <A href="/console/topup">{limits.addFunds}</A>;
  if (owner === "key") return <A href={`/console/token/${call.keyId}/edit`}>{limits.editKey}</A>;
  if (user.role !== "administrator") {
    return <>{contact ? limits.ask(contact) : limits.askAdministrator}</>;
  }
  const [href, text] = pageOf(owner, call, limits);
  return <A href={href}>{text}</A>;
}

/** The page on which an administrator changes the limits of an owner. */
function pageOf(
  owner: string,
  { groupId, accountId, projectId = "" }: RequestLogRow,
  limits: AccountView["catalog"]["logPage"]["limits"],
): readonly [href: string, text: string] {
  switch (owner) {
    case "group":
      return [`/console/admin/groups/${encodeURIComponent(groupId)}`, limits.editGroup];
    case "project":
      return [`/console/admin/projects/${projectId}`, limits.editProject];
    case "organization":
      return ["/console/admin/projects", limits.editOrganization];
    case "tag":
      return ["/console/admin/projects/tags", limits.editTag];
    default:
      return [`/console/admin/users/${accountId}`, limits.editUser];
  }
}
