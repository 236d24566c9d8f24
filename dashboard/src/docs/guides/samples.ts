import type { SnippetLanguage } from "../../snippets/snippets.ts";
import { ENDINGS, SHOWN_ADDRESS } from "./all.ts";

const FILES: Readonly<Record<string, string>> = import.meta.glob("./samples/*", {
  query: "?raw",
  import: "default",
  eager: true,
});

/**
 * An example of a guide, as a program that asks this service.
 * @param origin the service's address
 * @throws {Error} for one that is not there: a guide names what it does not have
 */
export function sampleOf(name: string, language: SnippetLanguage, origin: string): string {
  const file = FILES[`./samples/${name}.${ENDINGS[language]}`];
  if (file === undefined) throw new Error(`there is no example ${name} in ${language}`);
  return file.trimEnd().replaceAll(SHOWN_ADDRESS, origin);
}
