import { ENDED_DESPITE_STATUS, parseEnding } from "../../../company/ending.ts";
import type { CompanyFacts } from "../../../company/facts.ts";
import { parseLegalForm } from "../../../company/legalForm.ts";
import { PLACEHOLDER, type Rejection } from "../../../company/rejection.ts";
import { mapAddress } from "../../../company/table/address.ts";
import { type ColumnMap, findColumns } from "../../../company/table/columns.ts";
import { parseYesNo, TableRow } from "../../../company/table/row.ts";
import type { Employees } from "../../../contract/employeesResource.ts";
import { LEI_STATUSES, type LeiFacts } from "../../../contract/identifiers.ts";
import { parseKvkNumberText } from "../../../contract/kvkNumberText.ts";
import {
  type KvkNumber,
  PLACEHOLDER_KVK_NUMBER,
  parseKvkNumber,
  parseLei,
  parseSbiCode,
  passesElfproef,
} from "../../../contract/numbers.ts";
import { quoted } from "../../../contract/quoting.ts";
import type { Activity } from "../../../contract/resources.ts";
import { DECIMALS, known } from "../../../lib/values.ts";
import { ImportRefused, type RecordResult } from "../../outcome.ts";
import { type Encoding, readCsv } from "../../records/csv.ts";
import { shownColumns } from "../../report.ts";
import { type FormatContext, NO_DATE, skipped, used } from "../format.ts";

export interface CsvImportOptions {
  readonly encoding: Encoding;
  readonly map: ColumnMap;
  /** Take companies whose status is not given for active ones. */
  readonly assumeActive: boolean;
  /** Restore the leading zero of numbers with seven digits, which spreadsheets drop. */
  readonly padKvkNumbers: boolean;
}

const VAT_NUMBER = /^[A-Z]{2}[A-Z0-9+*]{2,12}$/;

/** Any table with a header. @throws {ImportRefused} when it lacks a column without which no row could be used */
export async function* readTable(
  { input, origin, asOf, onUnused, onUnended }: FormatContext,
  options: CsvImportOptions,
): AsyncGenerator<RecordResult> {
  const csv = await readCsv(input.chunks, { encoding: options.encoding, onUnended });
  const header = csv?.header ?? [];
  const columns = findColumns(header, options.map);
  const shownHeader = shownColumns(header);
  if (/^[[{]/.test(header[0] ?? "")) {
    throw new ImportRefused(
      `${input.shownName} is JSON, not a table. Import it with the format jsonl or kvk.`,
    );
  }
  if ("missing" in columns) {
    throw new ImportRefused(
      `${input.shownName} has no column ${quoted(columns.missing)}; it has ${shownHeader}.`,
    );
  }
  for (const field of ["kvkNumber", "name"] as const) {
    if (columns.has(field) || (field === "kvkNumber" && columns.has("euid"))) continue;
    throw new ImportRefused(
      `${input.shownName} has no column that is known to hold the ${field}; it has ${shownHeader}. ` +
        `Name it with --map ${field}=COLUMN. The first line must be the header.`,
    );
  }
  if (!columns.has("isActive") && !columns.has("deregistrationDate") && !options.assumeActive) {
    throw new ImportRefused(
      `${input.shownName} does not say which companies are active; it has ${shownHeader}. ` +
        "Name the column with --map isActive=COLUMN, or pass --assume-active to take all of them for active.",
    );
  }
  if (csv === undefined) return;
  const positions = new Set(columns.values());
  onUnused?.(header.filter((column, position) => column !== "" && !positions.has(position)));
  for await (const row of csv.rows) {
    if (!("cells" in row)) {
      yield skipped(row.line, row.rejection, row.record);
      continue;
    }
    const read = new TableRow(row.cells, columns);
    const mapped = mapRow(read, options);
    if ("reason" in mapped) yield skipped(row.line, mapped, row.record);
    else if (asOf === undefined) yield skipped(row.line, NO_DATE, row.record);
    else yield used(row.line, { origin, asOf, facts: mapped }, read.leftOut);
  }
}

function mapRow(row: TableRow, options: CsvImportOptions): CompanyFacts | Rejection {
  const kvkNumber = mapKvkNumber(row, options.padKvkNumbers);
  if (typeof kvkNumber !== "string") return kvkNumber;
  const name = row.text("name");
  if (name === undefined) return { reason: "has no name" };
  const status = mapStatus(row, options.assumeActive);
  if ("reason" in status) return status;
  return {
    kvkNumber,
    name,
    ...status,
    ...known("address", mapAddress(row)),
    ...known("tradingNames", row.list("tradingNames", /;/)),
    ...known("statutoryName", row.text("statutoryName")),
    ...mapLegalForm(row),
    ...known("registrationDate", row.day("registrationDate")),
    ...known("rsin", mapRsin(row)),
    ...known(
      "vatNumber",
      row.matching("vatNumber", VAT_NUMBER, (text) => text.replace(/[.\s-]/g, "").toUpperCase()),
    ),
    ...known("identifiers", mapLei(row)),
    ...known("activities", mapActivities(row)),
    ...known("websites", row.list("websites", /[;,\s]+/)),
    ...known("employees", mapEmployees(row)),
    ...known("nonMailing", row.yesNo("nonMailing")),
    ...known("mainBranchNumber", row.matching("mainBranchNumber", /^[0-9]{12}$/)),
    ...known("branchCount", row.whole("branchCount")),
  };
}

function mapKvkNumber(row: TableRow, pad: boolean): KvkNumber | Rejection {
  const text = row.text("kvkNumber") ?? row.text("euid");
  if (text === undefined) return { reason: "has no KVK number" };
  const read = parseKvkNumberText(text);
  const isNumber = read.kind === "number" || (read.kind === "short" && pad);
  const kvkNumber = isNumber ? parseKvkNumber(read.number) : undefined;
  if (kvkNumber === PLACEHOLDER_KVK_NUMBER) return PLACEHOLDER;
  if (kvkNumber !== undefined) return kvkNumber;
  const reason =
    read.kind === "short"
      ? "the KVK number has seven digits: a leading zero was lost (--pad-kvk-numbers gives it back)"
      : "the KVK number is not eight digits";
  return { reason, detail: quoted(text) };
}

const NOT_YET_ENDED = "ended by its status, with a date of deregistration to come (left out)";

type Status = Pick<CompanyFacts, "isActive" | "deregistrationDate">;

/** The status column decides, unless a date of deregistration has passed. Without a status that date decides. */
function mapStatus(row: TableRow, assumeActive: boolean): Status | Rejection {
  const text = row.text("deregistrationDate");
  const ending = text === undefined ? undefined : parseEnding(text);
  if (text !== undefined && (ending === undefined || ending.isUnclear)) {
    row.expect("deregistrationDate", undefined, text);
  }
  const day = known("deregistrationDate", ending?.day);
  const word = row.text("isActive");
  if (word !== undefined) {
    const isActive = parseYesNo(word);
    if (isActive === undefined)
      return { reason: "a status that is neither active nor inactive", detail: quoted(word) };
    const isContradicted = isActive
      ? ending?.isOver === true
      : ending?.isOver === false && ending.day !== undefined;
    if (!isContradicted) return { isActive, ...day };
    row.leftOut.push({
      reason: isActive ? ENDED_DESPITE_STATUS : NOT_YET_ENDED,
      detail: quoted(`${word}, ${text}`),
    });
    return isActive ? { isActive: false, ...day } : { isActive };
  }
  if (text !== undefined && ending === undefined) {
    return { reason: "has no status, and a date of deregistration that is no date", detail: quoted(text) };
  }
  if (ending?.isOver) return { isActive: false, ...day };
  if (assumeActive || (row.has("deregistrationDate") && !row.has("isActive")) || ending?.day !== undefined)
    return { isActive: true, ...day };
  return { reason: "has no status (--assume-active takes such rows for active)" };
}

function mapLegalForm(row: TableRow): Pick<CompanyFacts, "legalForm"> {
  const text = row.text("legalForm");
  const form = text === undefined ? undefined : parseLegalForm(text);
  if (text !== undefined && form === undefined) {
    row.leftOut.push({ reason: "a legal form that no rule maps", detail: quoted(text) });
  }
  return form === undefined || form === "none" ? {} : { legalForm: form };
}

/** Nine digits. One that fails the elfproef is kept and noted, as KVK has published such numbers. */
function mapRsin(row: TableRow): string | undefined {
  const rsin = row.matching("rsin", /^[0-9]{9}$/, (text) => text.replace(DECIMALS, "").replace(/[.\s]/g, ""));
  if (rsin !== undefined && !passesElfproef(rsin)) {
    row.leftOut.push({ reason: "an RSIN that fails the elfproef (kept all the same)", detail: quoted(rsin) });
  }
  return rsin;
}

function mapLei(row: TableRow): LeiFacts | undefined {
  const lei = row.parsed("lei", parseLei);
  const leiStatus = row.parsed("leiStatus", (text) => LEI_STATUSES.find((status) => status === text));
  const leiRenewalDue = row.day("leiRenewalDue");
  return lei === undefined
    ? undefined
    : { lei, ...known("leiStatus", leiStatus), ...known("leiRenewalDue", leiRenewalDue) };
}

function mapEmployees(row: TableRow): Employees | undefined {
  const employees = {
    ...known("total", row.whole("employees")),
    ...known("fullTime", row.whole("employeesFullTime")),
    ...known("partTime", row.whole("employeesPartTime")),
  };
  return Object.keys(employees).length === 0 ? undefined : employees;
}

/** The first code counts as the main one. A description is used only with a single code. */
function mapActivities(row: TableRow): Activity[] | undefined {
  // `47,11` is one code with a decimal comma, `4711,6201` are two.
  const codes = row
    .list("activities", /(?<!^[0-9]{1,2}(?=,[0-9]{2}$)),|[;\s]+/)
    ?.flatMap((text) => row.expect("activities", parseSbiCode(text), text) ?? []);
  if (codes === undefined || codes.length === 0) return undefined;
  const description = codes.length === 1 ? row.text("activityDescription") : undefined;
  return [...new Set(codes)].map((sbiCode, index) => ({
    sbiCode,
    ...known("description", description),
    isMain: index === 0,
  }));
}
