import type { UsageRange } from "../../../../src/contract/accountResources.ts";
import { Figures } from "../../components/Figures.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface Props {
  /** The title of the first column, which names each line. */
  readonly title: string;
  readonly lines: readonly (Counted & { readonly title: string })[];
  /** Whether the calls are those of test keys, whose failed calls are not counted apart. */
  readonly isOfTests?: boolean;
}

/** A table of usage. */
export function UsageTable({ title, lines, isOfTests = false }: Props) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const columns = [
    [t.tokens, (line: Counted) => line.tokens],
    [t.requests, (line: Counted) => line.requests],
    ...(isOfTests ? [] : ([[t.failed, failedIn]] as const)),
    [t.refused, refusedIn],
  ] as const;
  return (
    <Figures
      head={[title, ...columns.map(([name]) => name)]}
      figures={columns.length}
      rows={lines.map((line) => [line.title, ...columns.map(([, countOf]) => number(countOf(line)))])}
    />
  );
}

/** The figures that are counted of calls. */
export type Counted = UsageRange["total"];

/** Calls that were refused because there were too many, or too few tokens. */
export function refusedIn({ refusedByRate, refusedByAllowance }: Counted): number {
  return refusedByRate + refusedByAllowance;
}

/** Calls that failed with any other error. */
export function failedIn({ failedByCaller, failedByService }: Counted): number {
  return failedByCaller + failedByService;
}
