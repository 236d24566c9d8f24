import type { Rejection } from "../../company/rejection.ts";
import type { LiveCriteria, LivePage } from "../liveSource.ts";
import { groupRows } from "../zoeken/group.ts";
import { readZoeken, type ZoekenRow } from "../zoeken/wire.ts";
import { UNREADABLE } from "./codes.ts";
import type { KvkResult, NoAnswer } from "./results.ts";

/** KVK shows so many rows of a search, a hundred a page. */
const MOST_ROWS = 1_000;
const ROWS_PER_PAGE = 100;

const NO_ROWS = { rows: [], onPage: 0, totaal: 0 };

interface FoundPage {
  readonly kind: "found";
  readonly value: LivePage;
  readonly asOf: string;
}

/**
 * One page of companies. KVK counts and pages rows, of which a company has several, so rows are read from the first on until
 * the page is full or there are no more; finding nothing is an empty page. Its calls are free.
 */
export async function searchZoeken(
  criteria: LiveCriteria,
  ask: (path: string) => Promise<KvkResult>,
  note: (leftOut: readonly Rejection[]) => void,
): Promise<FoundPage | NoAnswer> {
  const from = (criteria.page - 1) * criteria.pageSize;
  const rows: ZoekenRow[] = [];
  let read = 0;
  for (let pagina = 1; ; pagina++) {
    const result = await ask(`/v2/zoeken?${queryOf(criteria, pagina)}`);
    if (result.kind === "no-answer") return result;
    const leftOut: Rejection[] = [];
    const listed = result.kind === "body" ? readZoeken(result.json, leftOut) : NO_ROWS;
    note(leftOut);
    if (listed === undefined) return UNREADABLE;
    rows.push(...listed.rows);
    read += listed.onPage;
    const hits = groupRows(rows);
    const isLast = listed.onPage === 0 || read >= Math.min(listed.totaal ?? read, MOST_ROWS);
    // One company more than the page holds, so that the last one of it has all its rows and there is a next.
    if (isLast || hits.length > from + criteria.pageSize) {
      const isTotalExact = isLast && (listed.totaal ?? 0) <= MOST_ROWS;
      const value = {
        hits: hits.slice(from, from + criteria.pageSize),
        total: hits.length,
        isTotalExact,
      };
      return { kind: "found", value, asOf: result.receivedAt };
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
