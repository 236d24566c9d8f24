import { parseCsv } from "hucre/csv";
import { PAGE_KEY_NAME } from "../../../../src/contract/pageKey.ts";
import type { Language } from "../../language/bilingual.ts";
import { csvDates } from "../../language/csv.ts";
import { keyTexts, operations } from "../../language/operations.ts";
import { texts } from "./texts.ts";

/** Returns the rows of the service's file in the words of a language. */
export function usageRows(file: string, language: Language): readonly (readonly string[])[] {
  const { file: titles, test } = texts[language];
  const [head = [], ...lines] = parseCsv(file.replace(/^\ufeff/, ""), { delimiter: "," }).map((row) =>
    row.map((cell) => String(cell ?? "")),
  );
  const titleOf: Readonly<Record<string, string>> = titles;
  const operationOf: Readonly<Record<string, string>> = operations[language];
  const words: Readonly<Record<string, (cell: string) => string>> = {
    day: csvDates(language).day,
    key_name: (name) => (name === PAGE_KEY_NAME ? keyTexts[language].thisPage : name),
    operation: (operation) => operationOf[operation] ?? operation,
  };
  const heading = head.map((name) =>
    name.startsWith("test_") ? test(titleOf[name.slice(5)] ?? name) : (titleOf[name] ?? name),
  );
  return [heading, ...lines.map((line) => line.map((cell, at) => words[head[at] ?? ""]?.(cell) ?? cell))];
}
