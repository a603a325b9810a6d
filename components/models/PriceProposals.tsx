import { takenMax } from "../../lib/admin/models/proposals.ts";
import { modelPath } from "../../lib/console/models/model_list.ts";
import type { ProposalsData, TriedProposal } from "../../lib/console/models/price_proposals.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { PriceTake } from "../../lib/store/catalog/mod.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { Empty } from "../States.tsx";
import { ListTable } from "../Table.tsx";
import { TextField } from "../controls.tsx";
import { Question } from "../layout/QuestionPage.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";
import { changeText } from "./PriceNow.tsx";

const path = "/console/pricing/proposals";

interface ProposalsProps {
  readonly view: AccountView;
  readonly data: ProposalsData;
}

/** The feed and its age, and the button that fetches it. */
export function FeedPanel({ view: { catalog, formats }, data: { feed } }: ProposalsProps) {
  const { priceProposals: texts } = catalog;
  return (
    <Form class="state-line" action={path}>
      <p>
        <span>
          {texts.feed} <span {...untranslated}>{feed.name}</span>{" "}
          <Time atMs={feed.fetchedAtMs} formats={formats} />
        </span>
      </p>
      <div class="actions">
        <button class="button" type="submit" name="intent" value="refresh">{texts.refresh}</button>
      </div>
    </Form>
  );
}

/** The proposals with their effect on the last week's calls, to select those to take. */
export function PriceProposals({ view, data: { proposals, choseNothing } }: ProposalsProps) {
  const { models, priceAdmin, priceProposals: texts } = view.catalog;
  return (
    <Panel id="proposals" title={texts.title}>
      <p class="hint below">{texts.text}</p>
      {choseNothing && <p class="hint below" role="alert">{priceAdmin.catalogNothing}</p>}
      {proposals.length === 0
        ? <Empty icon="tags" title={texts.none} text={texts.noneText} />
        : (
          <Form action={path}>
            <ListTable
              caption={texts.title}
              rows={proposals}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: texts.review,
                  unseen: true,
                  class: "tick",
                  cell: ({ id }) => (
                    <input
                      type="checkbox"
                      name="model"
                      value={id}
                      aria-label={priceAdmin.choose(id)}
                    />
                  ),
                },
                {
                  head: models.name,
                  type: "name",
                  cell: ({ id }) => <A class="link" href={modelPath(id)} {...untranslated}>{id}</A>,
                },
                {
                  head: priceAdmin.what,
                  class: "wrap",
                  cell: (proposal) => <Changes view={view} proposal={proposal} />,
                },
                {
                  head: texts.effect,
                  type: "number",
                  cell: (proposal) => effectOf(view, proposal),
                },
                {
                  head: texts.since,
                  cell: (proposal) => <Source view={view} proposal={proposal} />,
                },
              ]}
            />
            <div class="bar-actions">
              <button class="button primary" type="submit">{texts.review}</button>
              <button class="button" type="submit" name="all" value="true">
                {texts.reviewAll(Math.min(proposals.length, takenMax))}
              </button>
            </div>
          </Form>
        )}
    </Panel>
  );
}

function Changes({ view, proposal }: { view: AccountView; proposal: TriedProposal }) {
  return (
    <ul class="changes">
      {proposal.changes.map((change) => <li key={change.field}>{changeText(change, view)}</li>)}
    </ul>
  );
}

function Source(
  { view: { catalog: { priceProposals: texts }, formats }, proposal: { page, sinceMs } }: {
    view: AccountView;
    proposal: TriedProposal;
  },
) {
  return (
    <>
      <Time atMs={sinceMs} formats={formats} as="day" />{" "}
      {page !== undefined && (
        <a class="link" href={page} rel="noreferrer" target="_blank">{texts.page}</a>
      )}
    </>
  );
}

/** The change in the cost of the last week's calls. */
function effectOf(
  { catalog: { priceProposals: texts }, formats }: AccountView,
  { rerating }: TriedProposal,
): string {
  if (!rerating) return texts.untried;
  const { calls, costNanoUsd, wouldNanoUsd } = rerating;
  return calls === 0 ? texts.noCalls : formats.change(wouldNanoUsd - costNanoUsd);
}

/** Confirms the selected proposals, with their start and their effect together. */
export function TakeProposals(
  { view, proposals, isFromInvalid = false }: {
    view: AccountView;
    proposals: readonly TriedProposal[];
    isFromInvalid?: boolean | undefined;
  },
) {
  const { catalog: { priceAdmin, priceProposals: texts }, formats } = view;
  const taken = proposals.slice(0, takenMax);
  const moreNanoUsd = taken.reduce(
    (sum, { rerating }) => sum + (rerating ? rerating.wouldNanoUsd - rerating.costNanoUsd : 0n),
    0n,
  );
  return (
    <Question
      action={path}
      id="take"
      title={texts.confirmTitle(taken.length)}
      text={texts.confirmText(formats.change(moreNanoUsd))}
      back={path}
      cancel={priceAdmin.cancel}
      confirm={texts.take}
      tone="primary"
      isWide
      field={{ name: "confirm", value: "true" }}
    >
      <ul class="names">
        {taken.map((proposal) => (
          <li key={proposal.id}>
            <b {...untranslated}>{proposal.id}</b> {effectOf(view, proposal)}
            <Changes view={view} proposal={proposal} />
            <input type="hidden" name="model" value={proposal.id} />
          </li>
        ))}
      </ul>
      <TextField
        name="from"
        type="datetime-local"
        label={priceAdmin.from}
        hint={priceAdmin.fromHint}
        fault={isFromInvalid ? texts.fromFault : undefined}
      />
    </Question>
  );
}

/** The last takes, each with the button that undoes it. */
export function PriceTakes(
  { view, takes }: { view: AccountView; takes: readonly PriceTake[] },
) {
  const { catalog: { lists, priceAdmin, priceProposals: texts }, formats } = view;
  return (
    <Panel id="takes" title={texts.takes}>
      <ListTable
        caption={texts.takes}
        rows={takes}
        keyOf={({ id }) => id}
        columns={[
          { head: priceAdmin.when, cell: ({ atMs }) => <Time atMs={atMs} formats={formats} /> },
          { head: priceAdmin.who, cell: ({ actorName }) => actorName },
          {
            head: texts.models,
            class: "wrap",
            cell: ({ models }) => (
              <span {...untranslated}>{formats.list(models.map(({ id }) => id))}</span>
            ),
          },
          {
            head: lists.undo,
            unseen: true,
            cell: ({ id, undoneAtMs }) =>
              undoneAtMs === undefined
                ? (
                  <Form action={path}>
                    <input type="hidden" name="take" value={id} />
                    <button class="button small" type="submit" name="intent" value="undo">
                      {lists.undo}
                    </button>
                  </Form>
                )
                : texts.undone,
          },
        ]}
      />
    </Panel>
  );
}
