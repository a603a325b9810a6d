import type { LimitHeaders } from "../limit_headers.ts";

/** The format knows none: its clients read `RetryInfo` and `QuotaFailure` of an error. */
export const limitHeaders: LimitHeaders = () => ({});
