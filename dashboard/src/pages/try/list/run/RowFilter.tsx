import { NativeSelect } from "@mantine/core";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import type { Outcome } from "../job/answers.ts";
import { matchTexts } from "../matchTexts.ts";
import { resultTexts } from "../resultTexts.ts";

const OUTCOMES = [
  ...(["found", "checked", "notFound", "matched", "ambiguous", "none", "chosen"] as const),
  ...(["invalid", "notANumber", "noAnswer", "waiting"] as const),
] as const satisfies readonly Outcome[];
export type Shown = (typeof OUTCOMES)[number] | "all";

interface Props {
  readonly value: Shown;
  /** The number of rows with each result; none without rows. */
  readonly counts: ReadonlyMap<Shown, number>;
  readonly onChange: (value: Shown) => void;
}

/** Chooses the rows to show by their result. */
export function RowFilter({ value, counts, onChange }: Props) {
  const { rows: t } = useTexts(matchTexts);
  const { outcomes: names } = useTexts(resultTexts);
  const { number } = useLanguage().formats;
  const countOf = (shown: Shown) => number(counts.get(shown) ?? 0);
  const offered = OUTCOMES.filter((outcome) => outcome === value || counts.has(outcome));
  return (
    <NativeSelect
      label={t.show}
      maw="20rem"
      value={value}
      data={[
        { value: "all", label: t.all(countOf("all")) },
        ...offered.map((outcome) => ({ value: outcome, label: t.some(names[outcome], countOf(outcome)) })),
      ]}
      onChange={({ currentTarget }) =>
        onChange(OUTCOMES.find((outcome) => outcome === currentTarget.value) ?? "all")
      }
    />
  );
}
