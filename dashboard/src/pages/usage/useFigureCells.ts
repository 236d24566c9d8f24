import { useLanguage, useTexts } from "../../language/language.tsx";
import { type Counted, failedIn, refusedIn } from "./figures.ts";
import { texts } from "./texts.ts";

/** What is counted as the last cells of a table, in one order wherever usage is shown. */
export function useFigureCells() {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  return {
    head: [t.tokens, t.requests, t.failed, t.refused],
    of: (line: Counted) =>
      [line.tokens, line.requests, failedIn(line), refusedIn(line)].map((count) => number(count)),
  };
}

/** The same of test keys, whose calls that fail are among all of them and not counted by themselves. */
export function useTestFigureCells() {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  return {
    head: [t.tokens, t.requests, t.refused],
    of: (line: Counted) => [line.tokens, line.requests, refusedIn(line)].map((count) => number(count)),
  };
}
