import { autocompletePath } from "../../api/publicApi.ts";

/** What the first call asks for: an answer comes whatever registry is served, even an empty one. */
export const FIRST_SEARCH = "bakkerij";

/** The first call as a line for a terminal, on Windows too. */
export function curlLine(key: string): string {
  return `curl -H "Authorization: Bearer ${key}" "${location.origin}${autocompletePath(FIRST_SEARCH)}"`;
}
