import type { SearchAnswer, SearchQuery } from "./api/calls.ts";
import { ofCall, withinRate } from "./pacing.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** The service returns no rows beyond this, whatever the page size. */
const MAX_ROWS = 1_000;
const DEFAULT_PAGE_SIZE = 10;

/**
 * Yields the pages of a search, best matches first, starting at `page` (default 1). Each is fetched when the caller
 * needs it.
 */
export async function* pagesOf(
  transport: Transport,
  query: SearchQuery,
  options: CallOptions,
): AsyncGenerator<SearchAnswer, void, undefined> {
  const pageSize = query.pageSize ?? DEFAULT_PAGE_SIZE;
  let page = query.page ?? 1;
  for (;;) {
    const request = {
      operation: "search",
      field: "results",
      path: "/v1/search",
      query: { ...query, page, pageSize },
    };
    const call = ofCall(transport, options, page);
    const answer = await withinRate(transport, call.signal, () =>
      transport.call<SearchAnswer>(request, call),
    );
    yield answer;
    const isLast = answer.totalIsExact !== false && page * pageSize >= answer.total;
    page += 1;
    if (isLast || answer.results.length < pageSize || page * pageSize > MAX_ROWS) return;
  }
}
