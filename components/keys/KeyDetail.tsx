import { windowFields } from "../../lib/admin/bound_names.ts";
import { windowsText } from "../../lib/admin/bounds.ts";
import { type KeyStatus, shownSecret } from "../../lib/admin/keys/key_status.ts";
import { clientName } from "../../lib/console/calls/call_words.ts";
import type { KeyPageData } from "../../lib/console/keys/key_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ApiKey, FormerSecretUse } from "../../lib/store/api_keys/mod.ts";
import { A } from "../A.tsx";
import { LimitsInForce } from "../bounds/LimitsInForce.tsx";
import { Form } from "../Form.tsx";
import { Fold } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { untranslated } from "../untranslated.ts";
import { Fact, Facts, Figure, Time } from "../values.tsx";
import { FormerSecret, KeyTag, keyTones } from "./KeyTable.tsx";
import { SubjectFigures } from "./SubjectUsage.tsx";

/** The usage of a key in a period. */
export function KeyFigures(
  { view, apiKey, data }: { view: AccountView; apiKey: ApiKey; data: KeyPageData },
) {
  const { catalog: { keys }, formats } = view;
  const { usage, bounds, calls = [] } = data;
  const { lastUsedAtMs } = apiKey;
  return (
    <SubjectFigures view={view} usage={usage} bounds={bounds} log={keyLog(apiKey)}>
      <Figure
        name={keys.lastUsed}
        value={lastUsedAtMs === undefined ? keys.neverUsed : formats.ago(lastUsedAtMs)}
      >
        {clientName(calls[0]?.userAgent)}
      </Figure>
    </SubjectFigures>
  );
}

/** The filters of the log for the calls of a key. */
export function keyLog({ id, accountId }: Pick<ApiKey, "id" | "accountId">) {
  return { key: id, who: "everyone", user: accountId };
}

/** The state and the owner of a key, with its actions. */
export function KeyHead(
  { view, apiKey, status, owner }: {
    view: AccountView;
    apiKey: ApiKey;
    status: KeyStatus;
    owner: KeyPageData["owner"];
  },
) {
  const { catalog: { keyStatus, keyPage, keys }, user } = view;
  return (
    <div class="across object-head">
      <p>
        <Status tone={keyTones[status]}>{keyStatus[status]}</Status>
        {apiKey.device
          ? <KeyTag view={view} apiKey={apiKey} />
          : <code {...untranslated}>{shownSecret(apiKey)}</code>}
        <span class="soft">
          {owner && owner.email !== user.email && (
            <>
              {keyPage.ownedBy}{" "}
              <A href={`/console/admin/users/${owner.id}`} {...untranslated}>{owner.email}</A>
              {", "}
            </>
          )}
          {keyPage.inGroup(apiKey.groupId)}
          {owner?.projectId !== undefined && `, ${keyPage.inProject(owner.projectId)}`}
        </span>
      </p>
      {apiKey.origin === "console"
        ? <KeyActions view={view} apiKey={apiKey} />
        : <span class="hint">{keys.declaredHint}</span>}
    </div>
  );
}

/** The facts of a key. Its secret is not among them, because only a digest is stored. */
export function KeyFacts(
  { view, apiKey, former }: {
    view: AccountView;
    apiKey: ApiKey;
    former: FormerSecretUse | undefined;
  },
) {
  const { catalog, formats, nowMs } = view;
  const { keyPage, keyList, keys, keyForm } = catalog;
  const { models, ipAllowList, limits = {}, previous, lastUsedAtMs, expiresAtMs } = apiKey;
  const limit = (value: number | undefined) => value !== undefined && formats.count(value);
  const hint = formats.list([
    models ? models.join(" ") : keyPage.allModels,
    ipAllowList ? ipAllowList.join(" ") : keyPage.anywhere,
    expiresAtMs === undefined ? keyPage.neverExpires : formats.ahead(expiresAtMs),
  ]);
  return (
    <Fold id="facts" title={keyPage.facts} value={hint}>
      <Facts class="body">
        <Fact name={keyPage.secret}>
          <code {...untranslated}>{shownSecret(apiKey)}</code>
        </Fact>
        <Fact name={keyPage.oldSecret}>
          {previous && !apiKey.device && previous.expiresAtMs > nowMs && (
            <>
              <code {...untranslated}>{shownSecret(previous)}</code>
              <FormerSecret view={view} apiKey={apiKey} former={former} />
            </>
          )}
        </Fact>
        <Fact name={keys.group}>{apiKey.groupId}</Fact>
        <Fact name={keys.created}>
          <Time atMs={apiKey.createdAtMs} formats={formats} as="moment" />
        </Fact>
        <Fact name={keys.lastUsed}>
          {lastUsedAtMs === undefined
            ? keys.neverUsed
            : <Time atMs={lastUsedAtMs} formats={formats} />}
        </Fact>
        <Fact name={keys.expires}>
          {expiresAtMs === undefined
            ? keys.neverExpires
            : <Time atMs={expiresAtMs} formats={formats} as="moment" />}
        </Fact>
        <Fact name={keyForm.models}>{models ? models.join(", ") : keyPage.allModels}</Fact>
        <Fact name={keyForm.addresses}>
          {ipAllowList ? ipAllowList.join(", ") : keyPage.anywhere}
        </Fact>
        <Fact name={keyForm.requestsPerMinute}>{limit(limits.requestsPerMinute)}</Fact>
        <Fact name={keyForm.tokensPerMinute}>{limit(limits.tokensPerMinute)}</Fact>
        {windowFields.map((name) => (
          <Fact key={name} name={keyForm[name]}>{windowsText(limits[name])}</Fact>
        ))}
        <Fact name={keyForm.concurrency}>{limit(limits.concurrency)}</Fact>
        <Fact name={keyList.alertsAt}>
          {apiKey.alertPercents && keyList.percents(apiKey.alertPercents.join(", "))}
        </Fact>
      </Facts>
    </Fold>
  );
}

/** The limits in force for the key. */
export function KeyBounds({ view, data }: { view: AccountView; data: KeyPageData }) {
  return (
    <LimitsInForce view={view} bounds={data.bounds}>
      {data.overBalance && <p class="body soft">{view.catalog.keyList.overBalance}</p>}
    </LimitsInForce>
  );
}

/** The actions of a key's own page. */
function KeyActions(
  { view: { catalog: { keys, keyPage, deleteKey } }, apiKey }: {
    view: AccountView;
    apiKey: ApiKey;
  },
) {
  const path = `/console/token/${apiKey.id}`;
  return (
    <>
      <A class="button" href={`${path}/edit`}>{keyPage.edit}</A>
      {!apiKey.device && <A class="button" href={`${path}/rotate`}>{keyPage.rotate}</A>}
      <Form action={`${path}/enabled`}>
        <input type="hidden" name="back" value={path} />
        <button class="button" type="submit" name="enabled" value={String(!apiKey.enabled)}>
          {apiKey.enabled ? keys.disable : keys.enable}
        </button>
      </Form>
      <A
        class="button"
        href={`${path}/delete`}
        data-delete-title={deleteKey.title(apiKey.name)}
        data-delete-confirm={deleteKey.confirm(apiKey.name)}
      >
        {keys.remove}
      </A>
    </>
  );
}
