import { Text } from "@mantine/core";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { Facts } from "../../../../components/Facts.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { type Candidate, type Choice, scoreIn } from "../job/answers.ts";
import { type ListRow, MATCH_FIELDS, type Source } from "../job/source.ts";
import { textOf } from "../job/table.ts";
import { matchTexts } from "../matchTexts.ts";

interface Props {
  readonly source: Source;
  readonly row: ListRow;
  readonly candidates: readonly Candidate[];
  readonly choice: Choice | undefined;
  readonly settle: (choice: Choice) => void;
}

/** The data of a row, and the companies that it may mean. */
export function Candidates({ source, row, candidates, choice, settle }: Props) {
  const { settle: t } = useTexts(matchTexts);
  const { number } = useLanguage().formats;
  const id = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const options = optionsIn(group.current);
    (options.find((option) => option.ariaPressed === "true") ?? options[0])?.focus();
  }, []);
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const options = optionsIn(group.current);
    const at = options.findIndex((option) => option.matches(":focus"));
    options[(at + step + options.length) % options.length]?.focus();
    event.preventDefault();
  };
  const chosen = typeof choice === "object" ? choice?.kvkNumber : choice;
  const rowNumber = source.items.rows.indexOf(row) + 1;
  return (
    <fieldset ref={group} aria-labelledby={id} className="settle" onKeyDown={onKey}>
      <div className="own-data">
        <Text id={id} fw={600} className="breaks">
          {t.row(number(rowNumber))}: {row.text}
        </Text>
        <OwnData source={source} row={row} />
      </div>
      {candidates.map((candidate, index) => (
        <CandidateButton
          key={candidate.kvkNumber}
          candidate={candidate}
          shortcut={index + 1}
          isChosen={chosen === candidate.kvkNumber}
          onChoose={() => settle(candidate)}
        />
      ))}
      <button
        type="button"
        data-option
        className="candidate none"
        aria-pressed={choice === null}
        onClick={() => settle(null)}
      >
        <kbd>0</kbd>
        <strong>{t.none}</strong>
        <span>{t.noneLeft}</span>
        {choice === null ? <Icon name="check" size={18} /> : null}
      </button>
    </fieldset>
  );
}

const MAX_SHORTCUT = 9;
const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

const optionsIn = (group: HTMLElement | null) => [
  ...(group?.querySelectorAll<HTMLElement>("[data-option]") ?? []),
];

/** The cells of a row by which it is matched, in addition to its name. */
function OwnData({ source: { table, reading }, row }: Pick<Props, "source" | "row">) {
  const { fields } = useTexts(matchTexts);
  const cells = table.rows[row.at];
  return (
    <Facts
      facts={MATCH_FIELDS.filter((field) => field !== "name").map((field) => {
        const column = reading.columns[field];
        // A column may have numbers in some rows and names in others.
        const isOther = column !== undefined && column !== reading.columns.name;
        return [fields[field], isOther ? textOf(cells?.[column]).trim() : undefined];
      })}
    />
  );
}

interface ButtonProps {
  readonly candidate: Candidate;
  /** The number key that chooses it. */
  readonly shortcut: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** A company that a row may mean. */
function CandidateButton({ candidate, shortcut, isChosen, onChoose }: ButtonProps) {
  const { settle: t } = useTexts(matchTexts);
  const { percent } = useLanguage().formats;
  const { kvkNumber, name, matchedName, city, isActive, score } = candidate;
  return (
    <button type="button" data-option className="candidate" aria-pressed={isChosen} onClick={onChoose}>
      {shortcut > MAX_SHORTCUT ? null : <kbd>{shortcut}</kbd>}
      <strong>{name}</strong>
      {matchedName === undefined ? null : <span>{t.matchedName(matchedName)}</span>}
      <span>{t.kvk(kvkNumber)}</span>
      {city === undefined ? null : <span>{city}</span>}
      <span className={isActive ? "verdict valid" : "verdict invalid"}>{isActive ? t.active : t.ended}</span>
      <span>{t.score(scoreIn(score, percent))}</span>
      {isChosen ? <Icon name="check" size={18} /> : null}
    </button>
  );
}
