import { callTone } from "../../lib/console/calls/call_tone.ts";
import { causeOf } from "../../lib/console/calls/call_words.ts";
import {
  type DaySpend,
  type KeyPageData,
  keyUsageDays,
  type Seen,
} from "../../lib/console/keys/key_page.ts";
import type { AccountView, ApiKey } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Empty, Status } from "../States.tsx";
import { Time } from "../Time.tsx";
import { untranslated } from "../untranslated.ts";

interface KeyUseProps {
  readonly view: AccountView;
  readonly apiKey: ApiKey;
  readonly data: KeyPageData;
}

const heightPx = 96;

/** The cost of the key by day, each day with a link to its calls. */
export function KeySpend({ view, apiKey, data: { days } }: KeyUseProps) {
  const { catalog: { keyList, spend, keys }, path } = view;
  const most = (days ?? []).reduce((top, { costNanoUsd: cost }) => cost > top ? cost : top, 0n);
  return (
    <Panel
      id="key-spend"
      title={keyList.spendByDay}
      beside={<span class="faint">{keyList.days(keyUsageDays)}</span>}
    >
      {days === undefined
        ? (
          <Empty icon="triangle-alert" title={spend.failed}>
            <A class="button" href={path}>{keys.retry}</A>
          </Empty>
        )
        : most === 0n
        ? <p class="body soft">{spend.none(spend.days(keyUsageDays))}</p>
        : <Days view={view} apiKey={apiKey} days={days} most={most} />}
    </Panel>
  );
}

function Days(
  { view: { catalog: { logPage, keyList }, formats }, apiKey, days, most }: {
    view: AccountView;
    apiKey: ApiKey;
    days: readonly DaySpend[];
    most: bigint;
  },
) {
  const width = 100 / days.length;
  const shown = days.filter(({ costNanoUsd }) => costNanoUsd > 0n);
  return (
    <div class="body key-days">
      <svg width="100%" height={heightPx} aria-hidden="true">
        {days.map(({ costNanoUsd }, at) => (
          <rect
            class="part"
            x={`${(at + 0.15) * width}%`}
            y={heightPx - heightOf(costNanoUsd, most)}
            width={`${0.7 * width}%`}
            height={heightOf(costNanoUsd, most)}
          />
        ))}
      </svg>
      <p class="axis">
        <span>{formats.utcDay(days[0].fromMs)}</span>
        <span>{formats.utcDay(days[days.length - 1].fromMs)}</span>
      </p>
      <details>
        <summary>{keyList.dayByDay}</summary>
        <ul class="latest">
          {shown.toReversed().map((day) => (
            <li>
              <A href={dayPath(apiKey, day)}>{formats.utcDay(day.fromMs)}</A>
              <span class="soft">{logPage.calls(formats.count(day.requests))}</span>
              <span>{formats.money(day.costNanoUsd)}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function heightOf(cost: bigint, most: bigint): number {
  return cost === 0n ? 0 : Math.max(2, Number(cost * BigInt(heightPx) / most));
}

function dayPath({ id }: ApiKey, { fromMs, toMs }: DaySpend): string {
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
  return `/console/log?${new URLSearchParams({ key: id, from, to })}`;
}

/** The latest failed calls, with their causes. */
export function KeyErrors({ view, data: { errors } }: KeyUseProps) {
  const { catalog: { keyList, log }, formats } = view;
  return (
    <Panel id="key-errors" title={keyList.errors}>
      {errors === undefined
        ? <p class="body soft">{log.failed}</p>
        : errors.length === 0
        ? <p class="body soft">{keyList.noErrors}</p>
        : (
          <ul class="latest">
            {errors.map((call) => (
              <li>
                <Status tone={callTone(call)}>{call.status}</Status>
                <A href={`/console/log/${call.id}`}>{causeOf(call, view) ?? call.id}</A>
                <Time atMs={call.atMs} formats={formats} />
              </li>
            ))}
          </ul>
        )}
    </Panel>
  );
}

/** The addresses and programs that used the key recently. */
export function KeyCallers({ view, data: { callers } }: KeyUseProps) {
  const { catalog: { keyList, logPage }, formats } = view;
  if (callers === undefined || callers.calls === 0) return null;
  return (
    <Panel
      id="key-callers"
      title={keyList.seen}
      beside={
        <span class="faint">{keyList.seenOf(logPage.calls(formats.count(callers.calls)))}</span>
      }
    >
      <div class="body seen">
        <SeenList view={view} title={keyList.addresses} seen={callers.addresses} />
        <SeenList view={view} title={keyList.clients} seen={callers.clients} />
      </div>
    </Panel>
  );
}

function SeenList(
  { view: { catalog: { keyList }, formats }, title, seen }: {
    view: AccountView;
    title: string;
    seen: readonly Seen[];
  },
) {
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {seen.map(({ name, count, lastMs }) => (
          <li>
            <span {...untranslated}>{name ?? keyList.unknownClient}</span>
            <span class="soft">{formats.count(count)}</span>
            <Time atMs={lastMs} formats={formats} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The audit log of the key. */
export function KeyChanges({ view, data: { changes } }: KeyUseProps) {
  const { catalog: { keyList, audit }, formats } = view;
  return (
    <Panel id="key-changes" title={keyList.changes}>
      {changes === undefined || changes.length === 0
        ? <p class="body soft">{keyList.noChanges}</p>
        : (
          <ul class="body changes">
            {changes.map((entry) => (
              <li>
                <p>
                  <b>{audit.actions[entry.action]}</b>{" "}
                  <span class="soft">{keyList.by(entry.actorName)}</span>{" "}
                  <Time atMs={entry.atMs} formats={formats} />
                </p>
                {entry.changes.map(({ field, before, after }) => (
                  <p class="second">{`${field}: ${before ?? "–"} → ${after ?? "–"}`}</p>
                ))}
              </li>
            ))}
          </ul>
        )}
    </Panel>
  );
}
