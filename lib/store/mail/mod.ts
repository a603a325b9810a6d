/** The mail server that administrators set up in the console. */
export {
  deleteMailServer,
  getMailServer,
  mailSecurities,
  type MailServer,
  saveMailServer,
} from "./server.ts";
