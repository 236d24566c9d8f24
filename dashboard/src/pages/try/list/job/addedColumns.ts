import type { Company } from "../../../../../../src/contract/resources.ts";
import type { Vat } from "../../../../../../src/contract/vatResources.ts";
import { listCell } from "../../../../../../src/lib/spreadsheet.ts";
import type { Language } from "../../../../language/bilingual.ts";
import { legalForms } from "../../../../language/legalForms.ts";
import { resultTexts } from "../resultTexts.ts";
import {
  type Added,
  type Answer,
  type Choice,
  companyIn,
  matchedIn,
  outcomeOf,
  outcomeOfRow,
} from "./answers.ts";
import type { ListRow } from "./source.ts";
import type { Cell } from "./table.ts";

type Column = keyof (typeof resultTexts)["en"]["columns"];

/** The added columns, in their order. */
const COLUMNS: Readonly<Record<Added, readonly Column[]>> = {
  basic: ["kvkNumber", "name", "postalCode", "city", "isActive", "outcome", "why"],
  everything: [
    ...(["kvkNumber", "name", "tradingNames", "street", "houseNumber", "postalCode", "city"] as const),
    ...(["country", "isActive", "legalForm", "registrationDate", "activities"] as const),
    ...(["vatNumber", "vatValid", "vatStatus", "outcome", "why"] as const),
  ],
  match: ["decision", "kvkNumber", "name", "city", "score", "isChosen", "why"],
};

type Texts = (typeof resultTexts)["en"];
type Cells = Partial<Record<Column, Cell | undefined>>;

/**
 * Returns the titles of the columns to add, and their cells for a row of the list. A title that the list already has gets a suffix.
 * @param hasChoices whether a person chose any company
 */
export function addedColumns(adds: Added, language: Language, taken: readonly string[], hasChoices: boolean) {
  const t: Texts = resultTexts[language];
  const columns = COLUMNS[adds].filter((column) => column !== "isChosen" || hasChoices);
  const existing = new Set(taken.map((title) => title.trim().toLowerCase()));
  const titles = columns.map((column) => {
    let title = t.columns[column];
    while (existing.has(title.toLowerCase())) title = t.taken(title);
    return title;
  });
  const cellsOf = adds === "match" ? matchCells : lookupCells;
  return {
    titles,
    cells: (row: ListRow, answer: Answer | undefined, choice?: Choice): readonly Cell[] => {
      const cells: Cells = {
        ...cellsOf(row, answer, language, choice),
        why: explain(row, answer, language, choice),
      };
      return columns.map((column) => cells[column] ?? "");
    },
  };
}

/** Explains why a row has no company; empty if it has one, or if a person decided that. */
export function explain(
  row: ListRow,
  answer: Answer | undefined,
  language: Language,
  choice?: Choice,
): string {
  const { why, free } = resultTexts[language];
  const outcome = row.key === undefined ? (row.why ?? "text") : outcomeOf(answer, choice);
  if (outcome === "found" || outcome === "matched" || outcome === "chosen") return "";
  return outcome === "ambiguous" || outcome === "none" ? why[outcome] : `${why[outcome]} ${free}`;
}

function lookupCells(row: ListRow, answer: Answer | undefined, language: Language): Cells {
  const company = companyIn(answer);
  return {
    kvkNumber: row.key,
    ...(company === undefined ? {} : companyCells(company, language)),
    outcome: resultTexts[language].outcomes[outcomeOfRow(row, answer)],
  };
}

function matchCells(row: ListRow, answer: Answer | undefined, language: Language, choice?: Choice): Cells {
  const t: Texts = resultTexts[language];
  const company = matchedIn(answer, choice);
  const outcome = outcomeOfRow(row, answer, choice);
  const decided = company === undefined ? "none" : "matched";
  return {
    decision: t.outcomes[outcome === "chosen" ? decided : outcome],
    kvkNumber: company?.kvkNumber,
    name: company?.name,
    city: company?.city,
    score: company?.score,
    isChosen: choice === undefined ? undefined : t.yes,
  };
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
    registrationDate: registrationDate && dateIn(registrationDate),
    activities:
      mainFirst &&
      listCell(mainFirst.map(({ sbiCode, description }) => [sbiCode, description].filter(Boolean).join(" "))),
    ...(vat && vatCells(vat, t)),
  };
}

/** A date, or its text if spreadsheets cannot count its days. */
function dateIn(text: string): Date | string {
  return text < "1900-03-01" || Number.isNaN(Date.parse(text)) ? text : new Date(text);
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
