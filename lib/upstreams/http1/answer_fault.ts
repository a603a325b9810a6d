/** A response that breaks HTTP/1.1 or one of the limits, or a connection that ended before it. */
export class AnswerFault extends Error {
  override readonly name = "AnswerFault";
  readonly fault: "closed" | "headers" | "not-http";

  constructor(fault: AnswerFault["fault"], message: string) {
    super(message);
    this.fault = fault;
  }
}

/** The peer ended the connection in the middle of a response, or before it. */
export function closedEarly(): AnswerFault {
  return new AnswerFault("closed", "connection closed before the response was complete");
}

/** The upstream accepts no HTTP/1.1. */
export class Http2Only extends Error {
  override readonly name = "Http2Only";
}
