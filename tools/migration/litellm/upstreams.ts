import type { UpstreamModel, UpstreamRecord } from "../../../lib/store/catalog/mod.ts";
import { slugOf } from "../identity.ts";
import type { Deployment } from "./deployments.ts";

/** The most keys and models of one upstream that the console's forms accept. */
const credentialsMax = 50;
const modelsMax = 5_000;

interface Draft {
  readonly first: Deployment;
  readonly models: Map<string, UpstreamModel>;
  readonly credentials: Set<string>;
}

/** The upstreams of the deployments, and lines about keys that are missing. */
interface DraftedUpstreams {
  readonly upstreams: readonly UpstreamRecord[];
  readonly notices: readonly string[];
}

/**
 * Joins deployments with the same address, key and order to one upstream, and upstreams that differ
 * in nothing but the key to one with several keys. A name that an upstream would serve twice gets
 * another upstream, so that calls are shared as before.
 */
export function upstreamsOf(deployments: readonly Deployment[]): DraftedUpstreams {
  const drafts: Draft[] = [];
  for (const deployment of deployments) addTo(drafts, deployment);
  const taken = new Set<string>();
  const named = joinedByKeys(drafts).map((draft) => ({
    draft,
    id: freeId(nameOf(draft.first), taken),
  }));
  return {
    upstreams: named.map(({ draft, id }) => recordOf(id, draft)),
    notices: named.flatMap(({ draft: { first: { lacks, credential } }, id }) => {
      const remedy = credential === undefined ? "Add its key" : "Check it and enable it";
      return lacks === undefined ? [] : [`${id} is disabled: ${lacks}. ${remedy} in the console`];
    }),
  };
}

function addTo(drafts: Draft[], deployment: Deployment): void {
  const { model, credential } = deployment;
  const sameModel = (draft: Draft) => draft.models.get(model.id);
  const fitting = drafts.filter(({ first }) => wayOf(first) === wayOf(deployment));
  const isDouble = fitting.some((draft) =>
    sameModel(draft)?.upstreamModel === model.upstreamModel && sameModel(draft) !== undefined
  );
  if (isDouble) return;
  const free = fitting.find((draft) => !sameModel(draft) && draft.models.size < modelsMax);
  if (free) free.models.set(model.id, model);
  else {
    drafts.push({
      first: deployment,
      models: new Map([[model.id, model]]),
      credentials: new Set(credential === undefined ? [] : [credential]),
    });
  }
}

/** Everything that one upstream has once, as text. */
function wayOf({ credential, lacks, ...rest }: Deployment): string {
  return JSON.stringify([orderedWayOf(rest), credential, lacks]);
}

function orderedWayOf(
  { provider, address, priority, weight, timeouts }: Omit<Deployment, "credential" | "lacks">,
): string {
  return JSON.stringify([provider, address, priority, weight, timeouts]);
}

function joinedByKeys(drafts: readonly Draft[]): readonly Draft[] {
  const open = new Map<string, Draft>();
  return drafts.filter((draft) => {
    const { lacks } = draft.first;
    const models = [...draft.models.values()].toSorted((a, b) => a.id < b.id ? -1 : 1);
    const way = JSON.stringify([orderedWayOf(draft.first), lacks, models]);
    const known = open.get(way);
    const isFull = known === undefined || known.credentials.size >= credentialsMax;
    if (isFull) open.set(way, draft);
    else for (const one of draft.credentials) known.credentials.add(one);
    return isFull;
  });
}

/** `litellm-openai`, or with the host for an address that is not the provider's own. */
function nameOf({ provider, address }: Deployment): string {
  const [url = ""] = Object.values(address.endpoints);
  const host = URL.parse(url)?.hostname ?? "";
  const isOwn = cloudHost.test(host) ||
    address.preset !== undefined && address.preset !== "azure" && !isLocal(host);
  return `litellm-${slugOf(isOwn ? provider : `${provider}-${host}`, 50)}`;
}

/** Hosts of clouds, whose upstreams are named after their region. */
const cloudHost = /^(bedrock-|aws-external-anthropic\.|([\w-]+-)?aiplatform\.)/;

function isLocal(host: string): boolean {
  return !host.includes(".") || /^[\d.]+$/.test(host);
}

function freeId(base: string, taken: Set<string>): string {
  for (let at = 1;; at++) {
    const id = at === 1 ? base : `${base}-${at}`;
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}

function recordOf(id: string, { first, models, credentials }: Draft): UpstreamRecord {
  return {
    id,
    ...first.address,
    credentials: [...credentials],
    models: [...models.values()],
    priority: first.priority,
    weight: first.weight,
    groups: ["*"],
    timeouts: first.timeouts,
    enabled: first.lacks === undefined,
    origin: "console",
  };
}
