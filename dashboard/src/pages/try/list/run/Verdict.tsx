import { Group } from "@mantine/core";
import { Icon } from "../../../../components/Icon.tsx";
import { useTexts } from "../../../../language/language.tsx";
import type { Outcome } from "../job/answers.ts";
import { resultTexts } from "../resultTexts.ts";

const GOOD = { icon: "check", className: "verdict valid" } as const;
const BAD = { icon: "warning", className: "verdict invalid" } as const;
const OPEN = { icon: "info", className: "verdict unknown" } as const;
const STYLES = {
  found: GOOD,
  matched: GOOD,
  chosen: GOOD,
  notFound: BAD,
  notANumber: BAD,
  none: BAD,
  checked: OPEN,
  ambiguous: OPEN,
  noAnswer: OPEN,
  invalid: OPEN,
  waiting: { icon: "pulse", className: "verdict unknown" },
} as const;

interface Props {
  readonly outcome: Outcome;
  /** Replaces the usual text of the outcome. */
  readonly text?: string | undefined;
}

/** The result of a row, with its icon. */
export function Verdict({ outcome, text }: Props) {
  const { outcomes } = useTexts(resultTexts);
  const { icon, className } = STYLES[outcome];
  return (
    <Group gap={6} wrap="nowrap" className={className}>
      <Icon name={icon} size={16} />
      {text ?? outcomes[outcome]}
    </Group>
  );
}
