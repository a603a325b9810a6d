/** Users, their sessions, and how they sign in. */
export {
  createIdentity,
  createUserOfIdentity,
  deleteIdentity,
  getIdentity,
  type Identity,
  identityId,
  listIdentities,
  updateIdentity,
} from "./identity.ts";
export {
  createInvitation,
  deleteInvitation,
  deleteInvitations,
  getInvitation,
  type Invitation,
  listInvitations,
  makerOfInvitation,
  redeemInvitation,
} from "./invitation.ts";
export {
  createSession,
  deleteSession,
  deleteSessions,
  getLastSeen,
  getSession,
  listSessions,
  type Session,
  updateSession,
} from "./session.ts";
export { useOnce } from "./one_time_use.ts";
export {
  createPasskey,
  deletePasskey,
  getPasskey,
  listPasskeys,
  type Passkey,
  updatePasskey,
} from "./passkey.ts";
export type { LinkMaker, MadeBy } from "./link_maker.ts";
export {
  createPasswordLink,
  deletePasswordLink,
  type FoundLink,
  getPasswordLink,
  setPasswordByLink,
} from "./password_link.ts";
export { createTotp, deleteTotp, getTotp, type Totp, updateTotp, usersWithTotp } from "./totp.ts";
export { createSetupLink, getSetupLink, redeemSetupLink } from "./setup_link.ts";
export {
  type AttemptCount,
  clearSignInAttempts,
  returnSignInAttempt,
  signInWait,
  takeSignInAttempt,
} from "./sign_in_attempts.ts";
export {
  getReadingChoices,
  type LogView,
  logViewsMax,
  type ReadingChoices,
  updateReadingChoices,
} from "./reading_choices.ts";
export {
  type Account,
  createUser,
  defaultSpending,
  deleteUser,
  firstAccountId,
  getUser,
  getUserByEmail,
  hasSeveralUsers,
  listUsers,
  type Role,
  termOf,
  updateUser,
  type User,
} from "./user.ts";
