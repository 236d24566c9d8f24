import { NativeSelect } from "@mantine/core";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import type { Outcome } from "../job/answers.ts";
import { matchTexts } from "../matchTexts.ts";
import { resultTexts } from "../resultTexts.ts";

const SHOWN = ["matched", "ambiguous", "none", "chosen"] as const satisfies readonly Outcome[];
export type Shown = (typeof SHOWN)[number] | "all";

function isShown(outcome: string): outcome is (typeof SHOWN)[number] {
  return SHOWN.some((shown) => shown === outcome);
}

interface Props {
  readonly value: Shown;
  /** The number of rows with each result. */
  readonly counts: Readonly<Record<Shown, number>>;
  readonly onChange: (value: Shown) => void;
}

/** Chooses the rows to show by their result. */
export function RowFilter({ value, counts, onChange }: Props) {
  const { rows: t } = useTexts(matchTexts);
  const { outcomes: names } = useTexts(resultTexts);
  const { number } = useLanguage().formats;
  return (
    <NativeSelect
      label={t.show}
      maw="20rem"
      value={value}
      data={[
        { value: "all", label: t.all(number(counts.all)) },
        ...SHOWN.map((outcome) => ({
          value: outcome,
          label: t.some(names[outcome], number(counts[outcome])),
        })),
      ]}
      onChange={({ currentTarget }) => onChange(isShown(currentTarget.value) ? currentTarget.value : "all")}
    />
  );
}
