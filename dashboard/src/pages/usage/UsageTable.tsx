import type { UsageRange } from "../../../../src/contract/accountResources.ts";
import { Figures } from "../../components/Figures.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface Props {
  /** The title of the first column, which names each row. */
  readonly title: string;
  readonly lines: readonly (Counted & { readonly title: string })[];
  /** Whether these are test calls, whose failures are not counted separately. */
  readonly isOfTests?: boolean;
}

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

export type Counted = UsageRange["total"];

/** Returns the number of calls refused for exceeding the rate limit or for lack of tokens. */
export function refusedIn({ refusedByRate, refusedByAllowance }: Counted): number {
  return refusedByRate + refusedByAllowance;
}

/** Returns the number of calls that failed with any other error. */
export function failedIn({ failedByCaller, failedByService }: Counted): number {
  return failedByCaller + failedByService;
}
