/** Rows to match by name, address or number. */
import { MATCH_BOUNDS } from "../../../../../../src/contract/matchResources.ts";
import { LABEL, readQuery, type SentQuery } from "../../../../../../src/match/readQuery.ts";
import { rowReader } from "../../../../../../src/match/rowQueries.ts";
import type { MatchQuery } from "../../../../../../src/match/types.ts";
import { MATCH_FIELDS, type Reading } from "./source.ts";
import { type Cell, textOf } from "./table.ts";

const PREVIEWED = 10;

/** The query in a row. */
export interface RowQuery {
  /** The cells as they are, without the KVK number that is looked up. */
  readonly sent: SentQuery;
  /** Undefined if there is nothing to match by. */
  readonly query: MatchQuery | undefined;
  /** Whether a number that cannot be right was omitted. */
  readonly hasUnusable: boolean;
}

/** Returns a reader for rows, by the rules of the service for the same columns. */
export function queryReader({ columns, kind }: Reading): (cells: readonly Cell[]) => RowQuery {
  const header: string[] = [];
  for (const field of MATCH_FIELDS) {
    const column = columns[field];
    if (column !== undefined && (field !== "kvkNumber" || kind === "match")) header[column] = field;
  }
  const names = Array.from(header, (field) => field ?? "");
  const read = rowReader(names);
  return (cells) => {
    const texts = names.map((name, column) => (name === "" ? "" : textOf(cells[column])));
    const sent = read?.(texts).sent ?? {};
    const query = readQuery(sent);
    if ("message" in query) return { sent, query: undefined, hasUnusable: false };
    const hasUnusable = query.notes?.some(({ code }) => code === "number_unusable") ?? false;
    return { sent, query, hasUnusable };
  };
}

export function isTooLong(sent: SentQuery): boolean {
  return Object.entries(sent).some(
    ([field, text = ""]) =>
      text.length > (field === "name" ? MATCH_BOUNDS.nameLength : MATCH_BOUNDS.fieldLength),
  );
}

/** Whether a row adds up amounts, and describes no company. */
export function isTotal(cells: readonly Cell[], query: MatchQuery | undefined): boolean {
  return query === undefined && cells.some((cell) => LABEL.test(textOf(cell).trim()));
}

/** The name of a row, otherwise its number or address, and its city. */
export function labelOf(sent: SentQuery): string {
  const { name, kvkNumber, rsin, vatNumber, lei, euid, street, houseNumber, postalCode, city } = sent;
  const address = [street, houseNumber, postalCode].filter(Boolean).join(" ");
  return [name ?? kvkNumber ?? rsin ?? vatNumber ?? lei ?? euid ?? address, city].filter(Boolean).join(", ");
}

/** The service reads the texts again, and adds its notes. */
export const lineOf = (sent: SentQuery) => `${JSON.stringify(sent)}\n`;

interface KeyedQuery {
  readonly key: string;
  readonly query: SentQuery;
}

/** Chooses rows for a preview: spread over the list, and in each part one that is harder than the others. */
export function previewOf(queries: readonly KeyedQuery[]): readonly KeyedQuery[] {
  const parts = Math.min(PREVIEWED, queries.length);
  const startOf = (part: number) => Math.floor((part * queries.length) / parts);
  return Array.from({ length: parts }, (_, part) =>
    queries
      .slice(startOf(part), startOf(part + 1))
      .reduce((one, two) => (doubtOf(two.query) > doubtOf(one.query) ? two : one)),
  );
}

/** A name with more in it than a name, and a name without a place, are hard to match. */
function doubtOf({ name = "", city, postalCode }: SentQuery): number {
  return (
    2 * Number(/[\d(),;:/*#?]|\b[a-z]\.[a-z]\.[a-z]/.test(name)) + Number((city ?? postalCode) === undefined)
  );
}
