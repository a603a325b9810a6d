import { suggestedBaseUrl } from "./suggested_base_url.ts";

/**
 * Returns true for the addresses of the management API: those below `/api/v1`, except for the
 * routes of model calls, which OpenRouter has there and which get the base URL that works here.
 */
export function isManagementPath(path: string): boolean {
  if (!/^\/api\/v1(\/|$)/.test(path)) return false;
  return /^\/api\/v1\/(models|usage)(\/|$)/.test(path) || suggestedBaseUrl("", path) === undefined;
}
