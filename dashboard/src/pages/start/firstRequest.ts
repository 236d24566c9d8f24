import { autocompletePath } from "../../api/publicApi.ts";
import type { Request } from "../../snippets/snippets.ts";

/** What the first call asks for: an answer comes whatever registry is served, even an empty one. */
export const FIRST_SEARCH = "bakkerij";

/** The first call, to be written down in a language. */
export function firstRequest(key?: string): Request {
  const url = `${location.origin}${autocompletePath(FIRST_SEARCH)}`;
  return { method: "GET", url, needsKey: true, body: undefined, ...(key !== undefined && { key }) };
}
