import type { FormatName } from "../../canonical/mod.ts";
import { type Arrival, isAnswer } from "../../store/api_keys/mod.ts";
import { endpointName } from "../calls/called_endpoints.ts";
import type { Catalog } from "../i18n/mod.ts";
import { forcedFormat } from "../upstreams/native_formats.ts";
import { checkFaultOf, type Finding, type FindingScene } from "./check_faults.ts";

/** The User-Agent of the console's own checks. */
export const consoleUserAgent = "Tessera console";

/** The data of a live check. */
export interface CheckView {
  readonly connected: boolean;
  readonly findings: readonly Finding[];
}

const findingsMax = 4;

/**
 * The findings from a key's arrivals, latest first. After an answered call, only that call and
 * later ones.
 */
export function checkView(arrivals: readonly Arrival[], scene: FindingScene): CheckView {
  const answered = arrivals.findLastIndex((one) => isAnswer(one) && one.carried === "key");
  const shown = arrivals.slice(Math.max(0, answered)).toReversed();
  return {
    connected: answered >= 0,
    findings: shown.slice(0, findingsMax).map((arrival) => findingOf(arrival, scene)),
  };
}

/** The finding from one arrival, with its remedy. */
export function findingOf(arrival: Arrival, scene: FindingScene): Finding {
  const { id, method, path, atMs, userAgent } = arrival;
  const client = userAgent === undefined ? [] : [userAgent.split(" ", 1)[0]];
  const request = [`${method} ${path}`, ...client].join(" · ");
  const came = scene.catalog.check.came(request, scene.formats.moment(atMs));
  return { id, came, ...meaningOf(arrival, scene) };
}

type Meaning = Omit<Finding, "id" | "came">;

function meaningOf(arrival: Arrival, scene: FindingScene): Meaning {
  const forced = forcedFormat(arrival);
  if (forced) return forcedMeaning(forced, arrival, scene.catalog);
  return arrival.errorCode === undefined
    ? successOf(arrival, scene.catalog)
    : checkFaultOf({ ...arrival, errorCode: arrival.errorCode }, scene);
}

function forcedMeaning(
  { client, format }: { readonly client: string; readonly format: FormatName },
  arrival: Arrival,
  { check, units }: Catalog,
): Meaning {
  return {
    tone: "bad",
    title: check.forced(client, units.formats[arrival.format]),
    text: check.forcedText(units.formats[format]),
  };
}

function successOf(arrival: Arrival, catalog: Catalog): Meaning {
  const { check } = catalog;
  const { carried, keyName = "", model = "", operation } = arrival;
  if (carried === "other-key") {
    return { tone: "note", title: check.otherKey(keyName), text: check.otherKeyText };
  }
  if (isAnswer(arrival)) {
    const title = check.answered(model, endpointName(catalog, arrival));
    const isOwn = arrival.userAgent === consoleUserAgent;
    return { tone: "ok", title, text: isOwn ? check.ownCallText : check.answeredText };
  }
  const listed = operation === "list-models" || operation === "get-model";
  return {
    tone: "note",
    title: listed ? check.listed : check.otherAsked,
    text: check.listedText,
  };
}
