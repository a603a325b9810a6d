/** The statuses of the console's errors, as literals; Fresh has all of 4xx and 5xx. */
type ErrorStatus = 400 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 503;

/** An error with a status. Its message is shown to the client, so it holds no secret. */
export class HttpError extends Error {
  readonly status: ErrorStatus;

  constructor(status: ErrorStatus, message?: string) {
    super(message);
    this.name = "HttpError";
    this.status = status;
  }
}
