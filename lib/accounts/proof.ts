import type { AuditDraft } from "../store/audit/mod.ts";
import type { Store } from "../store/mod.ts";
import { type Session, updateSession, type User } from "../store/users/mod.ts";
import { checkPasskey, type PasskeySite } from "./passkeys.ts";
import type { Passwords } from "./passwords.ts";
import { takeSecondStep } from "./second_step.ts";
import { knownDeviceId } from "./sessions.ts";
import { forgiveAttempts, makeAttempt, type SignInAttempt, takeAttempt } from "./sign_in_wait.ts";

/** Validity of a proof of identity, by signing in or later. */
const proofLifetimeMs = 5 * 60 * 1_000;
const racesMax = 10;

/** Returns true if the session's user proved their identity recently. */
export function isProved(session: Session, nowMs: number): boolean {
  return nowMs - (session.provedAtMs ?? session.createdAtMs) < proofLifetimeMs;
}

/** The ways in which a signed-in user confirms their identity. */
export type Proof =
  | { readonly type: "password"; readonly password: string }
  | { readonly type: "code"; readonly code: string; readonly audit?: AuditDraft }
  | { readonly type: "passkey"; readonly answer: string; readonly site: PasskeySite };

export type ProofResult =
  | { readonly type: "proved" }
  | { readonly type: "refused" }
  | { readonly type: "wait"; readonly retryAfterSeconds: number };

interface ProofServices {
  readonly store: Store;
  readonly passwords: Pick<Passwords, "verify">;
  readonly nowMs: number;
}

/** Checks a proof and records it in the session. Failed attempts are delayed as at sign-in. */
export async function proveIdentity(
  services: ProofServices,
  { user, session, ip, device }: {
    readonly user: User;
    readonly session: Session;
    readonly ip?: string;
    readonly device?: string;
  },
  proof: Proof,
): Promise<ProofResult> {
  const { store, nowMs } = services;
  const known = await knownDeviceId(store, device, user.id);
  const deviceId = known ?? session.digest; // others' attempts must not delay who is signed in
  const what = proof.type === "code" ? { what: "code" as const } : {};
  const attempt: SignInAttempt = { email: user.email, ip, deviceId, ...what };
  const waitMs = await takeAttempt(store, attempt, nowMs);
  if (waitMs > 0) return { type: "wait", retryAfterSeconds: Math.ceil(waitMs / 1_000) };
  if (!await makeAttempt(store, attempt, () => holds(services, user, proof))) {
    return { type: "refused" };
  }
  await forgiveAttempts(store, attempt);
  await noteProof(store, session.digest, nowMs);
  return { type: "proved" };
}

async function holds(
  { store, passwords, nowMs }: ProofServices,
  user: User,
  proof: Proof,
): Promise<boolean> {
  switch (proof.type) {
    case "password":
      return await passwords.verify(proof.password, user.passwordHash, { isKnown: true });
    case "code": {
      const entered = { userId: user.id, code: proof.code, audit: proof.audit };
      return await takeSecondStep(store, entered, nowMs) !== undefined;
    }
    case "passkey":
      return await checkPasskey({ store, site: proof.site, nowMs }, proof.answer, user.id) !==
        undefined;
    default:
      return proof satisfies never;
  }
}

/** Records a proof of identity in a session, and keeps it when the session is renewed concurrently. */
export async function noteProof(store: Store, digest: string, nowMs: number): Promise<void> {
  const change = (session: Session) => ({ ...session, provedAtMs: nowMs });
  for (let race = 0; race < racesMax; race++) {
    const updated = await updateSession(store, digest, { change, nowMs });
    if (updated === undefined || updated.provedAtMs === nowMs) return;
  }
}
