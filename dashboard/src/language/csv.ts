import { SPREADSHEET_START, spreadsheetCell } from "../../../src/lib/spreadsheet.ts";
import type { Language } from "./bilingual.ts";

/** The separator that spreadsheets expect: a semicolon in languages with a decimal comma. */
export function separatorOf(language: Language): "," | ";" {
  return language === "nl" || (1.5).toLocaleString(navigator.language).includes(",") ? ";" : ",";
}

/** Writes a table as CSV for spreadsheets. */
export function csvText(rows: readonly (readonly string[])[], separator: "," | ";"): string {
  const lines = rows.map((row) => row.map(spreadsheetCell).join(separator));
  return `${SPREADSHEET_START}${lines.join("\r\n")}\r\n`;
}

/** A form of dates that spreadsheets of the language read as dates. */
const DATES = { en: "en-CA", nl: "nl-NL" } as const;
const DAY = { day: "2-digit", month: "2-digit", year: "numeric" } as const;
const MINUTE = { ...DAY, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** Returns functions that write days (UTC) and moments (in the reader's time zone) for a spreadsheet. */
export function csvDates(language: Language) {
  const written = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(DATES[language], options);
    // A comma after the date would make it a text.
    return (text: string) => format.format(new Date(text)).replace(",", "");
  };
  return { day: written({ ...DAY, timeZone: "UTC" }), moment: written(MINUTE) };
}
