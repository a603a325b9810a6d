/** Mails: their queue, their transport by SMTP and its faults in plain words. */
export { type MailFault, mailFaults } from "./fault_text.ts";
export {
  type ComposeMail,
  type MailNotice,
  MailPost,
  type MailPostOptions,
  type MailReader,
  type MailTest,
} from "./post.ts";
export { type Mail, type MailOutcome } from "./transport.ts";
