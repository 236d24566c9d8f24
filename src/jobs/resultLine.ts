import type { ErrorCode } from "../contract/errors.ts";
import type { JobKind } from "../contract/jobs.ts";
import type { BasicCompany, Company } from "../contract/resources.ts";
import type { VatValidation } from "../contract/vatResources.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";

/** What is told of one number, as it was sent. */
export type ResultLine =
  | { readonly number: string; readonly result: BasicCompany | Company | VatValidation }
  | {
      readonly number: string;
      readonly error: { readonly code: ErrorCode; readonly message: string };
    };

/** Results as JSON lines. */
export function asLines(lines: readonly ResultLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The lines that {@link asLines} wrote. */
export function linesIn(text: string): ResultLine[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ResultLine);
}

/** The same without what has come onto the suppression list since: a company is not known, a verdict has no name and address. */
export function allowedLines(
  kind: JobKind,
  lines: readonly ResultLine[],
  suppressed: Suppressed,
): readonly ResultLine[] {
  return lines.map((line) => {
    if ("error" in line) return line;
    const { number, result } = line;
    if (kind === "vat") {
      if (!("vatNumber" in result) || !suppressed.hasVatNumber(result.vatNumber)) return line;
      const { name: _name, address: _address, ...rest } = result;
      return { number, result: rest };
    }
    if (!("kvkNumber" in result) || !suppressed.has(result.kvkNumber)) return line;
    const message = `no company with KVK number ${result.kvkNumber} is known here`;
    return { number, error: { code: "NOT_FOUND", message } };
  });
}
