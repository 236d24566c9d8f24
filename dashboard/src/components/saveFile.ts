import type { Language } from "../language/bilingual.ts";
import { csvText, separatorOf } from "../language/csv.ts";

const OFFERED_MS = 60_000;

/** Offers a file to save. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Some browsers read the URL only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), OFFERED_MS);
}

/** Offers a table as CSV in the language of the page. */
export function saveTable(title: string, rows: readonly (readonly string[])[], language: Language): void {
  const content = new Blob([csvText(rows, separatorOf(language))], { type: "text/csv;charset=utf-8" });
  saveFile(content, `opzoek-${title.toLowerCase().replaceAll(" ", "-")}.csv`);
}
