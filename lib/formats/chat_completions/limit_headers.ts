import { limitHeadersIn, xRateLimit } from "../limit_headers.ts";

export const limitHeaders = limitHeadersIn(xRateLimit);
