import type { Insolvency } from "../../../../../../src/contract/insolvency.ts";
import type { Peppol } from "../../../../../../src/contract/peppol.ts";
import type { Vat } from "../../../../../../src/contract/vatResources.ts";
import { listCell } from "../../../../../../src/lib/spreadsheet.ts";
import type { Language } from "../../../../language/bilingual.ts";
import { insolvencyTexts } from "../../../../language/insolvency.ts";
import { legalForms } from "../../../../language/legalForms.ts";
import { leiStatuses } from "../../../../language/leiStatuses.ts";
import { documentsIn, peppolTexts } from "../../../../language/peppol.ts";
import { vatStateOf } from "../../../../language/vatStates.ts";
import { resultTexts } from "../resultTexts.ts";
import { type Added, type Column, columnsOf } from "./added.ts";
import {
  type Answer,
  type Choice,
  companyIn,
  isNumberKey,
  type ListedCompany,
  matchedIn,
  matchIn,
  outcomeOf,
  outcomeOfRow,
} from "./answers.ts";
import type { ListRow } from "./source.ts";
import type { Cell } from "./table.ts";

type Texts = (typeof resultTexts)["en"];
type Cells = Partial<Record<Column, Cell | undefined>>;

/**
 * Returns the titles of the columns to add, and their cells for a row of the list. A title that the list already has
 * gets a suffix.
 * @param hasChoices whether a person chose any company
 * @param hasRows whether it has rows to match
 */
export function addedColumns(
  adds: Added,
  language: Language,
  taken: readonly string[],
  hasChoices: boolean,
  hasRows = adds === "match",
) {
  const t: Texts = resultTexts[language];
  const shown: Partial<Record<Column, boolean>> = { score: hasRows, isChosen: hasChoices };
  const columns = columnsOf(adds).filter((column) => shown[column] ?? true);
  const existing = new Set(taken.map((title) => title.trim().toLowerCase()));
  const titles = columns.map((column) => {
    let title = t.columns[column];
    while (existing.has(title.toLowerCase())) title = t.taken(title);
    return title;
  });
  return {
    titles,
    cells: (row: ListRow, answer: Answer | undefined, choice?: Choice): readonly Cell[] => {
      const isLookup = choice === undefined && row.key !== undefined && isNumberKey(row.key);
      const cells: Cells = {
        ...(isLookup ? lookupCells(row, answer, language) : matchCells(row, answer, language, choice)),
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
  if (outcome === "found" || outcome === "checked" || outcome === "chosen") return "";
  const notes = noteTexts(row, answer, language);
  if (outcome === "matched") return notes;
  if (outcome === "ambiguous") return `${why.ambiguous} ${notes}`.trim();
  const isUnlike = notes === "" && matchIn(answer)?.candidates.length === 0;
  if (outcome === "none") return `${isUnlike ? why.none : why.noneFits} ${notes}`.trim();
  return `${why[outcome]} ${free}`;
}

/** The notes of a match, in words. */
function noteTexts({ hasUnusable }: ListRow, answer: Answer | undefined, language: Language): string {
  const texts = resultTexts[language].notes;
  const codes = new Set(matchIn(answer)?.notes?.map(({ code }) => code));
  if (hasUnusable) codes.add("number_unusable");
  return [...codes].map((code) => texts[code]).join(" ");
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
  const decision = t.outcomes[outcome === "chosen" ? decided : outcome];
  return {
    decision,
    outcome: decision,
    isActive: company?.isActive === undefined ? undefined : company.isActive ? t.yes : t.no,
    kvkNumber: company?.kvkNumber,
    name: company?.name,
    city: company?.city,
    score: company?.score,
    isChosen: choice === undefined ? undefined : t.yes,
  };
}

function companyCells(company: ListedCompany, language: Language): Cells {
  const t: Texts = resultTexts[language];
  const {
    name,
    tradingNames,
    isActive,
    address,
    legalForm,
    registrationDate,
    activities,
    vat,
    identifiers,
    insolvency,
    peppol,
  } = company;
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
    ...(insolvency && insolvencyCells(insolvency, language)),
    ...(peppol && peppolCells(peppol, language)),
    euid: identifiers?.euid,
    lei: identifiers?.lei,
    leiStatus: identifiers?.leiStatus && leiStatuses[language][identifiers.leiStatus],
  };
}

function insolvencyCells(insolvency: Insolvency, language: Language): Cells {
  const { type, since, endedOn, court, caseNumber, observedAt } = insolvency;
  return {
    insolvency: insolvencyTexts[language].types[type],
    insolvencySince: since && dateIn(since),
    insolvencyEnded: endedOn && dateIn(endedOn),
    court,
    caseNumber,
    insolvencyAsOf: dateIn(observedAt.slice(0, 10)),
  };
}

function peppolCells(peppol: Peppol, language: Language): Cells {
  const { status, participantId, receives, accessPoint, checkedAt } = peppol;
  return {
    peppol: peppolTexts[language].statuses[status],
    participantId,
    peppolReceives: receives && documentsIn(receives, language),
    accessPoint,
    peppolAsOf: dateIn(checkedAt.slice(0, 10)),
  };
}

/** A date, or its text if spreadsheets cannot count its days. */
function dateIn(text: string): Date | string {
  return text < "1900-03-01" || Number.isNaN(Date.parse(text)) ? text : new Date(text);
}

/** Only an answer from VIES is a yes or a no; an outage is neither. */
function vatCells(vat: Vat, t: Texts): Cells {
  const { number, valid, origin } = vat;
  const no = origin === "rsin" ? t.noOfDerived : t.no;
  return {
    vatNumber: number,
    vatValid: valid === undefined ? t.unknown : valid ? t.yes : no,
    vatStatus: t.vatStatus[vatStateOf(vat)],
  };
}
