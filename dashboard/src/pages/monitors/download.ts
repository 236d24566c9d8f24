import type { Language } from "../../language/bilingual.ts";
import { csvOf, type Rows } from "./tables.ts";

const OFFERED_MS = 60_000;

/** Offers a table as a file. */
export function download(title: string, rows: Rows, language: Language): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csvOf(rows, language)], { type: "text/csv;charset=utf-8" }));
  link.download = `opzoek-${title.toLowerCase().replaceAll(" ", "-")}.csv`;
  link.click();
  // Some browsers read the URL only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), OFFERED_MS);
}
