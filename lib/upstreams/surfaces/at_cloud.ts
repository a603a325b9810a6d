import type { Note } from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import type { WireRequest } from "../../formats/wire.ts";
import type { Candidate } from "../upstream.ts";
import { changedBody, type SurfaceCall, surfaceCall } from "./call.ts";

/** The parts of a call that depend on its cloud; undefined without one. */
export function ofCloud(
  { upstream: { cloud }, upstreamModel: model }: Candidate,
  { name: format }: Pick<Codec, "name">,
  wire: Pick<WireRequest, "path" | "headers" | "body">,
): SurfaceCall | undefined {
  return cloud && surfaceCall(cloud, { format, model, wire });
}

/** A converted request as the candidate's cloud wants it; undefined without a cloud. */
export function atCloud(
  candidate: Candidate,
  codec: Pick<Codec, "name">,
  wire: WireRequest,
): { readonly wire: WireRequest; readonly notes: readonly Note[] } | undefined {
  const cloud = ofCloud(candidate, codec, wire);
  if (!cloud) return undefined;
  const { path, headers, members, notes } = cloud;
  return { wire: { ...wire, path, headers, body: changedBody(wire.body, members) }, notes };
}
