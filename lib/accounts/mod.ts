/** Accounts and access: users, passwords, sessions, set-up, API keys, API tokens. */
export {
  type AdminTokenCheck,
  checkAdminToken,
  excessOf,
  issueAdminToken,
  type IssuedAdminToken,
} from "./admin_tokens.ts";
export {
  type AdminScope,
  adminScopes,
  covers,
  creditScope,
  type LocalSignIn,
  may,
  maySignInLocally,
  type Permission,
  permits,
  roles,
  scopeForRole,
} from "./permissions.ts";
export { administeredBy, archiveProject, moveAccount } from "./projects.ts";
export {
  codeAlphabet,
  groupedCode,
  newApiKeySecret,
  randomCode,
  readCode,
  shownParts,
} from "./secrets.ts";
export {
  type ApiKeyDraft,
  issueApiKey,
  type IssuedApiKey,
  newApiKey,
  rotateApiKey,
} from "./api_keys.ts";
export {
  accessLifetimeMs,
  admitDevice,
  deviceCodeLifetimeMs,
  type DeviceFault,
  type DeviceTokens,
  enterDeviceCode,
  firstTokens,
  readDeviceCode,
  refreshTokens,
  refuseDevice,
  revokeDevice,
  startDevice,
} from "./devices.ts";
export { authorizeChild, isChildKey, sessionOfChild } from "./child_keys.ts";
export { applyConfig, printedKeyName } from "./apply_config.ts";
export { newAccount, readEmail, removeUser, setPassword } from "./users.ts";
export { acceptInvitation, issueInvitation, openInvitation } from "./invitations.ts";
export {
  authorizePayer,
  type Payer,
  type PayerDirectory,
  playgroundKeyId,
  playgroundKeyName,
} from "./authorize.ts";
export { mayBeProxy, networkOf } from "./network.ts";
export { passwordFault, passwordLengthMax, passwordLengthMin } from "../config/password.ts";
export { Passwords } from "./passwords.ts";
export {
  knownDeviceLifetimeMs,
  newKnownDevice,
  openSession,
  sessionLifetimeMs,
  startSession,
  validSession,
} from "./sessions.ts";
export {
  issueSetupLink,
  isToBeSetUp,
  redeemSetup,
  setupLinkHolds,
  setupLinkLifetimeMs,
} from "./setup.ts";
export {
  beginSecondStep,
  confirmSecondStep,
  openEnrolment,
  renewRecoveryCodes,
  resetSecondStep,
  totpAddress,
} from "./second_step.ts";
export {
  assertionOptions,
  passkeyNameMax,
  type PasskeySite,
  passkeysMax,
  registerPasskey,
  registrationOptions,
  type RegistrationResult,
} from "./passkeys.ts";
export {
  issuePasswordLink,
  openPasswordLink,
  passwordLinkLifetimeMs,
  redeemPasswordLink,
} from "./password_links.ts";
export {
  openPending,
  pendingLifetimeMs,
  signedInAs,
  signIn,
  signInByCode,
  signInByPasskey,
  type SignInFrom,
  type SignInResult,
} from "./sign_in.ts";
export { isProved, noteProof, type Proof, type ProofResult, proveIdentity } from "./proof.ts";
export { signUp } from "./sign_up.ts";
export { admitIdentity, isOwnIdentity, linkIdentity } from "./sso/admit_identity.ts";
export type { SsoArrival, SsoRefusal } from "./sso/admission.ts";
export {
  flowLifetimeMs,
  SingleSignOn,
  type SsoFlow,
  type SsoPurpose,
} from "./sso/single_sign_on.ts";
export { SsoError, type SsoFailure } from "./sso/protocol.ts";
export { waiting } from "./sign_in_wait.ts";
