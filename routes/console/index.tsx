import { page } from "fresh";
import { A } from "../../components/A.tsx";
import { Panel } from "../../components/Panel.tsx";
import { PeriodMenu } from "../../components/PeriodMenu.tsx";
import { LatestCalls } from "../../components/calls/CallTable.tsx";
import { BaseUrls, ClientLinks } from "../../components/connect/BaseUrls.tsx";
import { LimitsInForce } from "../../components/bounds/LimitsInForce.tsx";
import { CreateKeyAction } from "../../components/keys/CreateKeyAction.tsx";
import { RecordingNotice } from "../../components/keys/Recording.tsx";
import { ConsolePage } from "../../components/layout/ConsolePage.tsx";
import { AttentionPanel, NearLimitPanel } from "../../components/overview/AttentionPanel.tsx";
import { FirstSteps } from "../../components/overview/FirstSteps.tsx";
import { KeysBySpend } from "../../components/overview/KeysBySpend.tsx";
import { EveryoneStrip, OwnStrip } from "../../components/overview/OverviewStrip.tsx";
import { SpendPanel } from "../../components/overview/SpendPanel.tsx";
import { UpstreamCosts } from "../../components/overview/UpstreamCosts.tsx";
import { readOwnRecordings } from "../../lib/console/calls/recordings.ts";
import { stepsPath } from "../../lib/console/overview/first_steps.ts";
import { readOverview } from "../../lib/console/overview/overview.ts";
import { readSpendQuery } from "../../lib/console/overview/spend_query.ts";
import { accountPage, type AccountView } from "../../lib/console/page/view.ts";
import { defineForAccount } from "../../lib/console/session/state.ts";

/**
 * The overview of the account, or with `?who=` of all accounts: `?period=` or `?since=` and `until` set the time range,
 * `?by=` the breakdown and `?measure=` its figure.
 */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    const [read, recordings] = await Promise.all([
      readOverview(state, readSpendQuery(url.searchParams, state)),
      readOwnRecordings(state),
    ]);
    return page({ ...read, recordings });
  },
});

export default accountPage<typeof handler>(({ data, url, view }) => {
  const { query, groupIds, begun } = data;
  return (
    <ConsolePage
      view={view}
      title={view.catalog.overview.title}
      place="overview"
      who={query.who}
      beside={begun && <PeriodMenu view={view} span={query.span} />}
      split={begun}
      action={begun && <CreateKeyAction view={view} groups={groupIds} />}
    >
      <RecordingNotice view={view} recordings={data.recordings} />
      {!begun
        ? <Begin view={view} data={data} origin={url.origin} />
        : query.who === "everyone"
        ? <Everyone view={view} data={data} />
        : <Own view={view} data={data} origin={url.origin} />}
      <CodeFont />
    </ConsolePage>
  );
});

/** The font of secrets and code, which most pages after the overview need: loaded while it is read. */
function CodeFont() {
  return (
    <link
      rel="prefetch"
      href="/fonts/plex-mono-5.3.0.woff2"
      as="font"
      type="font/woff2"
      crossorigin="anonymous"
    />
  );
}

interface OverviewProps {
  readonly view: AccountView;
  readonly data: Awaited<ReturnType<typeof readOverview>>;
}

function Everyone({ view, data }: OverviewProps) {
  const { query, spending, names, tagKeys, everyone, limits, calls } = data;
  return (
    <>
      {spending && <EveryoneStrip {...{ view, query, spending }} facts={everyone} />}
      <aside class="stack">
        <AttentionPanel view={view} items={data.attention} troubles={data.troubles} />
        <NearLimitPanel view={view} limits={limits} />
      </aside>
      <SpendPanel {...{ view, query, spending, names, tagKeys }} lastCallMs={calls?.[0]?.atMs} />
      <UpstreamCosts view={view} query={query} upstreams={everyone?.upstreams} />
    </>
  );
}

function Own({ view, data, origin }: OverviewProps & { origin: string }) {
  const { query, spending, names, tagKeys, funds, limits, bounds, calls, spentKeys } = data;
  return (
    <>
      {spending && <OwnStrip {...{ view, query, spending, funds }} />}
      <SpendPanel {...{ view, query, spending, names, tagKeys }} lastCallMs={calls?.[0]?.atMs} />
      <aside class="stack">
        <AttentionPanel view={view} items={data.attention} troubles={data.troubles} />
        <NearLimitPanel view={view} limits={limits} />
        <LimitsInForce view={view} bounds={bounds} />
        <BaseUrls view={view} origin={origin} />
        <ClientLinks view={view} />
      </aside>
      {spending && spending.total.counts.requests > 0 && (
        <KeysBySpend {...{ view, query, spending }} keys={spentKeys} />
      )}
      <LatestCalls view={view} calls={calls} />
    </>
  );
}

function Begin({ view, data, origin }: OverviewProps & { origin: string }) {
  const { calls, steps, upstreamCount, bounds } = data;
  const { welcome } = view.catalog;
  const isBounded = bounds !== undefined && bounds.limits.length + bounds.models.length > 0;
  return (
    <div class="welcome">
      <AttentionPanel view={view} items={data.attention} troubles={data.troubles} />
      <Panel id="first-call" title={welcome.title}>
        <div class="body">
          <FirstSteps
            view={view}
            done={steps}
            heading="h3"
            lines={{ account: view.user.email, provider: welcome.providerDone(upstreamCount) }}
          >
            <div>
              <A class="button primary" href={stepsPath()}>{welcome.goOn}</A>
            </div>
          </FirstSteps>
        </div>
      </Panel>
      {calls?.length !== 0 && <LatestCalls view={view} calls={calls} />}
      {isBounded && <LimitsInForce view={view} bounds={bounds} />}
      <ClientLinks view={view} />
      <BaseUrls view={view} origin={origin} />
    </div>
  );
}
