import type { Company } from "../../../../../../src/contract/resources.ts";
import type { Vat } from "../../../../../../src/contract/vatResources.ts";
import { listCell } from "../../../../../../src/lib/spreadsheet.ts";
import type { Language } from "../../../../language/bilingual.ts";
import { legalForms } from "../../../../language/legalForms.ts";
import { resultTexts } from "../resultTexts.ts";
import { type Answer, type ListedCompany, outcomeOfRow } from "./answers.ts";
import type { ListRow } from "./numbersOf.ts";

type Column = keyof (typeof resultTexts)["en"]["columns"];

/** What a basic answer can fill. */
const BASIC: readonly Column[] = ["kvkNumber", "name", "postalCode", "city", "isActive", "outcome", "why"];
const EVERYTHING: readonly Column[] = [
  "kvkNumber",
  "name",
  "tradingNames",
  "street",
  "houseNumber",
  "postalCode",
  "city",
  "country",
  "isActive",
  "legalForm",
  "registrationDate",
  "activities",
  "vatNumber",
  "vatValid",
  "vatStatus",
  "outcome",
  "why",
];

type Texts = (typeof resultTexts)["en"];
type Cells = Partial<Record<Column, string | undefined>>;

/** The columns that are added to a list. */
export interface AddedColumns {
  readonly titles: readonly string[];
  /** What stands in them for a row of the list. */
  readonly cells: (row: ListRow, answer: Answer | undefined) => readonly string[];
}

/** The columns for a list that was asked so; a title that the list has already says whose it is. */
export function addedColumns(
  isEverything: boolean,
  language: Language,
  taken: readonly string[],
): AddedColumns {
  const t: Texts = resultTexts[language];
  const columns = isEverything ? EVERYTHING : BASIC;
  const held = new Set(taken.map((title) => title.trim().toLowerCase()));
  const titles = columns.map((column) => {
    const title = t.columns[column];
    return held.has(title.toLowerCase()) ? t.taken(title) : title;
  });
  return {
    titles,
    cells: (row, answer) => {
      const company = answer !== undefined && "company" in answer ? answer.company : undefined;
      const cells: Cells = {
        kvkNumber: row.number,
        ...(company === undefined ? {} : companyCells(company, language)),
        outcome: t.outcomes[outcomeOfRow(row, answer)],
        why: whyIn(row, answer, language),
      };
      return columns.map((column) => cells[column] ?? "");
    },
  };
}

/** Why a row has no company; empty for one that has. */
export function whyIn(row: ListRow, answer: Answer | undefined, language: Language): string {
  const { why } = resultTexts[language];
  if (row.number === undefined) return why[row.why ?? "text"];
  if (answer === undefined) return why.waiting;
  if ("company" in answer) return "";
  if (answer.code === "NOT_FOUND") return why.notFound;
  if (answer.code === "INVALID_KVK_NUMBER") return why.refused;
  return answer.code === "UPSTREAM_ERROR" ? why.upstream : why.noAnswer;
}

function companyCells(company: ListedCompany, language: Language): Cells {
  const t: Texts = resultTexts[language];
  const { name, isActive, address } = company;
  const { street, houseNumber, postalCode, city, country } = address;
  const basic = { name, postalCode, city, isActive: isActive ? t.yes : t.no };
  return { ...basic, street, houseNumber, country, ...enrichedCells(company, language) };
}

function enrichedCells(company: Partial<Company>, language: Language): Cells {
  const { tradingNames, legalForm, registrationDate, activities, vat } = company;
  const mainFirst = activities?.toSorted((one, two) => Number(two.isMain) - Number(one.isMain));
  return {
    tradingNames: tradingNames && listCell(tradingNames),
    legalForm: legalForm === undefined ? undefined : legalForms[language][legalForm],
    registrationDate,
    activities:
      mainFirst &&
      listCell(mainFirst.map(({ sbiCode, description }) => [sbiCode, description].filter(Boolean).join(" "))),
    ...(vat === undefined ? {} : vatCells(vat, resultTexts[language])),
  };
}

/** An outage of VIES is no verdict: only its own word is a yes or a no. */
function vatCells({ number, valid, status, origin }: Vat, t: Texts): Cells {
  const no = origin === "rsin" ? t.noOfDerived : t.no;
  return {
    vatNumber: number,
    vatValid: valid === undefined ? t.unknown : valid ? t.yes : no,
    vatStatus: t.vatStatus[status],
  };
}
