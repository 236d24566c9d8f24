import { quoted } from "../../contract/quoting.ts";
import { decodeEntities } from "../../lib/htmlEntities.ts";
import { withoutGuards } from "../../lib/spreadsheet.ts";
import { parseWhole, tidy } from "../../lib/values.ts";
import { parseDay } from "../dates.ts";
import type { Rejection } from "../rejection.ts";
import type { CsvField } from "./columns.ts";

const YES = new Set(
  "ja j yes y true waar 1 actief active ingeschreven bestaand geregistreerd registered".split(" "),
);
const NO = new Set(
  "nee n no false onwaar 0 inactief inactive nietactief uitgeschreven opgeheven beeindigd ontbonden vervallen deregistered dissolved closed ended".split(
    " ",
  ),
);

/** Also what programs write for a missing value. */
const NOTHING =
  /^(?:onbekend|niet bekend|geen|unknown|none|nil|nan|null|undefined|n\/a|n\.a\.|n\.? ?v\.? ?t\.?|[-–—_.?*/]+)$/i;

/** Whether a text means an unknown value. Does not apply to names in imports: a company may have such a name. */
export function isUnknownWord(text: string): boolean {
  return NOTHING.test(text);
}

/** The cells of one row by field. A value that cannot be understood is undefined and noted in `leftOut`. */
export class TableRow {
  readonly leftOut: Rejection[] = [];
  readonly #cells: readonly string[];
  readonly #columns: ReadonlyMap<CsvField, number>;

  constructor(cells: readonly string[], columns: ReadonlyMap<CsvField, number>) {
    this.#cells = cells;
    this.#columns = columns;
  }

  has(field: CsvField): boolean {
    return this.#columns.has(field);
  }

  /** As {@link given}; undefined for a word that means an unknown value. */
  text(field: CsvField): string | undefined {
    const text = this.given(field);
    return text !== undefined && field !== "name" && isUnknownWord(text) ? undefined : text;
  }

  /** Returns the cell without padding and without the guards that spreadsheets put around a text; never empty. */
  given(field: CsvField): string | undefined {
    const position = this.#columns.get(field);
    const raw = position === undefined ? "" : (this.#cells[position] ?? "");
    const cell = tidy(raw);
    if (cell === undefined) return undefined;
    // ="01234567" keeps a leading zero in a spreadsheet; our own export guards texts that look like a formula.
    const text = tidy(/^="(.*)"$/.exec(cell)?.[1] ?? withoutGuards(raw));
    return text?.includes("&") ? tidy(decodeEntities(text)) : text;
  }

  /**
   * Returns the values of a cell that holds several: separated by `|`, as our own export does, or else by `separator`.
   */
  list(field: CsvField, separator: RegExp): string[] | undefined {
    const text = this.text(field);
    const parts = text?.split(text.includes("|") ? "|" : separator).flatMap((part) => tidy(part) ?? []);
    return parts === undefined || parts.length === 0 ? undefined : parts;
  }

  /** Returns the parsed text of a cell; undefined, with a note, where `parse` fails. */
  parsed<Value>(field: CsvField, parse: (text: string) => Value | undefined): Value | undefined {
    const text = this.text(field);
    return text === undefined ? undefined : this.expect(field, parse(text), text);
  }

  yesNo(field: CsvField): boolean | undefined {
    return this.parsed(field, parseYesNo);
  }

  day(field: CsvField): string | undefined {
    return this.parsed(field, (text) => {
      const day = parseDay(text);
      return day === "partial" ? undefined : day;
    });
  }

  whole(field: CsvField): number | undefined {
    return this.parsed(field, parseWhole);
  }

  /** Returns the cleaned text if it has the form. */
  matching(field: CsvField, form: RegExp, clean = (text: string) => text): string | undefined {
    return this.parsed(field, (text) => (form.test(clean(text)) ? clean(text) : undefined));
  }

  /** Returns `value`, and records `text` when it is undefined. */
  expect<Value>(field: CsvField, value: Value | undefined, text: string): Value | undefined {
    if (value === undefined) {
      const reason = `a value that is no ${field}`;
      this.leftOut.push(field === "vatNumber" ? { reason } : { reason, detail: quoted(text) });
    }
    return value;
  }
}

/** Understands yes and no in Dutch and English, and words for a status; undefined for any other word. */
export function parseYesNo(word: string): boolean | undefined {
  const plain = word
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
  if (YES.has(plain)) return true;
  return NO.has(plain) ? false : undefined;
}
