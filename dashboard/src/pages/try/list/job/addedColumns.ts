import type { Company } from "../../../../../../src/contract/resources.ts";
import type { Vat } from "../../../../../../src/contract/vatResources.ts";
import { listCell } from "../../../../../../src/lib/spreadsheet.ts";
import type { Language } from "../../../../language/bilingual.ts";
import { legalForms } from "../../../../language/legalForms.ts";
import { resultTexts } from "../resultTexts.ts";
import { type Answer, companyIn, outcomeOf, outcomeOfRow } from "./answers.ts";
import type { ListRow } from "./source.ts";

type Column = keyof (typeof resultTexts)["en"]["columns"];

const BASIC: readonly Column[] = ["kvkNumber", "name", "postalCode", "city", "isActive", "outcome", "why"];

type Texts = (typeof resultTexts)["en"];
type Cells = Partial<Record<Column, string | undefined>>;

export interface AddedColumns {
  readonly titles: readonly string[];
  /** Returns their cells for a row of the list. */
  readonly cells: (row: ListRow, answer: Answer | undefined) => readonly string[];
}

/** Returns the columns to add. A title that the list already has gets a suffix. */
export function addedColumns(
  isEverything: boolean,
  language: Language,
  taken: readonly string[],
): AddedColumns {
  const t: Texts = resultTexts[language];
  const everything = Object.keys(t.columns) as Column[];
  const columns = isEverything ? everything : BASIC;
  const existing = new Set(taken.map((title) => title.trim().toLowerCase()));
  const titles = columns.map((column) => {
    const title = t.columns[column];
    return existing.has(title.toLowerCase()) ? t.taken(title) : title;
  });
  return {
    titles,
    cells: (row, answer) => {
      const company = companyIn(answer);
      const cells: Cells = {
        kvkNumber: row.number,
        ...(company === undefined ? {} : companyCells(company, language)),
        outcome: t.outcomes[outcomeOfRow(row, answer)],
        why: explain(row, answer, language),
      };
      return columns.map((column) => cells[column] ?? "");
    },
  };
}

/** Explains why a row has no company; empty if it has one. */
export function explain(row: ListRow, answer: Answer | undefined, language: Language): string {
  const { why, free } = resultTexts[language];
  const outcome = row.number === undefined ? (row.why ?? "text") : outcomeOf(answer);
  return outcome === "found" ? "" : `${why[outcome]} ${free}`;
}

function companyCells(company: Company, language: Language): Cells {
  const t: Texts = resultTexts[language];
  const { name, tradingNames, isActive, address, legalForm, registrationDate, activities, vat } = company;
  const mainFirst = activities?.toSorted((one, two) => Number(two.isMain) - Number(one.isMain));
  return {
    ...address,
    name,
    tradingNames: tradingNames && listCell(tradingNames),
    isActive: isActive ? t.yes : t.no,
    legalForm: legalForm && legalForms[language][legalForm],
    registrationDate,
    activities:
      mainFirst &&
      listCell(mainFirst.map(({ sbiCode, description }) => [sbiCode, description].filter(Boolean).join(" "))),
    ...(vat && vatCells(vat, t)),
  };
}

/** Only an answer from VIES is a yes or a no; an outage is neither. */
function vatCells({ number, valid, status, origin }: Vat, t: Texts): Cells {
  const no = origin === "rsin" ? t.noOfDerived : t.no;
  return {
    vatNumber: number,
    vatValid: valid === undefined ? t.unknown : valid ? t.yes : no,
    vatStatus: t.vatStatus[status],
  };
}
