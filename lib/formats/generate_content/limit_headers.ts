import type { LimitHeaders } from "../limit_headers.ts";

/** The format has none: its clients read `RetryInfo` and `QuotaFailure` from an error. */
export const limitHeaders: LimitHeaders = () => ({});
