import { parseCsv } from "hucre/csv";
import { PAGE_KEY_NAME } from "../../../../src/contract/pageKey.ts";
import type { Language } from "../../language/bilingual.ts";
import { csvDates } from "../../language/csv.ts";
import { keyTexts, operations } from "../../language/operations.ts";
import { texts } from "./texts.ts";

const TEST = "test_";

/** Returns the rows of the service's file in the words of a language. */
export function usageRows(file: string, language: Language): readonly (readonly string[])[] {
  const { file: titles, test } = texts[language];
  const { day } = csvDates(language);
  const operationOf: Readonly<Record<string, string>> = operations[language];
  const table = parseCsv(file.replace(/^\ufeff/, ""), { delimiter: "," });
  const [head = [], ...lines] = table.map((row) => row.map((cell) => String(cell ?? "")));
  const words = titles.split("|");
  const titleOf = (name: string) => words[head.indexOf(name)] ?? name;
  return [
    head.map((name) => (name.startsWith(TEST) ? test(titleOf(name.slice(TEST.length))) : titleOf(name))),
    ...lines.map(([date = "", id = "", name = "", operation = "", ...figures]) => [
      ...[day(date), id, name === PAGE_KEY_NAME ? keyTexts[language].thisPage : name],
      ...[operationOf[operation] ?? operation, ...figures],
    ]),
  ];
}
