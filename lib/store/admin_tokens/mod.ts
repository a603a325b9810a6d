/** The tokens of the management API, and the answers it keeps for repeated requests. */
export {
  type AdminToken,
  createAdminToken,
  deleteAdminToken,
  getAdminToken,
  getAdminTokenByDigest,
  listAdminTokens,
  noteAdminTokenUse,
} from "./admin_token.ts";
export { beginRequest, forgetRequest, keepAnswer, type RequestMark } from "./kept_answer.ts";
