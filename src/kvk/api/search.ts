import type { Rejection } from "../../company/rejection.ts";
import type { Found, LiveCriteria, LivePage, NoLiveAnswer } from "../liveSource.ts";
import { groupRows, readZoeken, type ZoekenRow } from "../zoeken.ts";
import { UNREADABLE } from "./codes.ts";
import type { KvkResult } from "./results.ts";

/** KVK returns at most this many rows of a search. */
const MAX_ROWS = 1_000;
const ROWS_PER_PAGE = 100;
/** However few rows KVK puts on a page. */
const MAX_PAGES = MAX_ROWS / ROWS_PER_PAGE;

const NO_ROWS = { rows: [], onPage: 0, total: 0 };

/**
 * Finds one page of companies. KVK counts and pages rows, of which a company has several, so rows are read from the
 * first until the page is full or there are no more. Its calls are free.
 */
export async function searchZoeken(
  criteria: LiveCriteria,
  ask: (path: string) => Promise<KvkResult>,
  note: (leftOut: readonly Rejection[]) => void,
): Promise<Found<LivePage> | NoLiveAnswer> {
  const from = (criteria.page - 1) * criteria.pageSize;
  const to = from + criteria.pageSize;
  const rows: ZoekenRow[] = [];
  let read = 0;
  for (let pagina = 1; ; pagina++) {
    const result = await ask(`/v2/zoeken?${queryOf(criteria, pagina)}`);
    if (result.kind === "no-answer") return result;
    const leftOut: Rejection[] = [];
    const listed = result.kind === "found" ? readZoeken(result.value, leftOut) : NO_ROWS;
    note(leftOut);
    if (listed === undefined) return UNREADABLE;
    rows.push(...listed.rows);
    read += listed.onPage;
    const hits = groupRows(rows);
    const isLast =
      listed.onPage === 0 || pagina >= MAX_PAGES || read >= Math.min(listed.total ?? read, MAX_ROWS);
    // Reads one company beyond the page, to have all rows of its last company and to know whether there is another
    // page.
    if (isLast || hits.length > to) {
      const isTotalExact = isLast && (listed.total ?? 0) <= MAX_ROWS;
      const value = { hits: hits.slice(from, to), total: hits.length, isTotalExact };
      return { kind: "found", value, asOf: result.asOf };
    }
  }
}

function queryOf({ q, city, includeInactive }: LiveCriteria, pagina: number): string {
  const query = new URLSearchParams();
  if (q !== undefined) query.set(/^[0-9]{8}$/.test(q) ? "kvkNummer" : "naam", q);
  if (city !== undefined) query.set("plaats", city);
  if (includeInactive === true) query.set("inclusiefInactieveRegistraties", "true");
  query.set("pagina", String(pagina));
  query.set("resultatenPerPagina", String(ROWS_PER_PAGE));
  return query.toString();
}
