import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { CardTable } from "../../../../components/CardTable.tsx";
import { Pages } from "../../../../components/Pages.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { explain } from "../job/addedColumns.ts";
import {
  type Answer,
  type Choices,
  companyIn,
  matchedIn,
  matchIn,
  type Outcome,
  outcomeOfRow,
} from "../job/answers.ts";
import type { ListRow } from "../job/source.ts";
import { matchTexts } from "../matchTexts.ts";
import { resultTexts } from "../resultTexts.ts";
import { texts } from "../texts.ts";
import { Verdict } from "./Verdict.tsx";

const PAGE_SIZE = 25;
const CARDS_AT_ONCE = 10;
const SHOWN = ["matched", "ambiguous", "none", "chosen"] as const satisfies readonly Outcome[];
type Shown = (typeof SHOWN)[number] | "all";

interface Props {
  readonly rows: readonly ListRow[];
  readonly answers: ReadonlyMap<string, Answer>;
  readonly choices: Choices;
  /** Shows the candidates of a row; undefined for a list of numbers. */
  readonly onSettle: ((key: string) => void) | undefined;
}

/** The list, row by row. */
export function Rows({ rows, answers, choices, onSettle }: Props) {
  const { rows: t } = useTexts(texts);
  const { plan, rows: match } = useTexts(matchTexts);
  const { columns } = useTexts(resultTexts);
  const { language, formats } = useLanguage();
  const [page, setPage] = useState(1);
  const [filter, setFilter] = useState<Shown>("all");
  const all = rows.map((row, index) => ({ row, index }));
  const outcomeAt = (row: ListRow) => {
    const key = row.key ?? "";
    return outcomeOfRow(row, answers.get(key), choices.get(key));
  };
  const chosen = filter === "all" ? all : all.filter(({ row }) => outcomeAt(row) === filter);
  // A decision can remove the last row of a page.
  const pages = Math.max(1, Math.ceil(chosen.length / PAGE_SIZE));
  const from = (Math.min(page, pages) - 1) * PAGE_SIZE;
  const shown = chosen.slice(from, from + PAGE_SIZE).map(({ row, index }) => {
    const key = row.key ?? "";
    const answer = answers.get(key);
    const choice = choices.get(key);
    const looked = companyIn(answer);
    const company =
      looked === undefined ? matchedIn(answer, choice) : { ...looked, city: looked.address.city };
    return {
      ...{ index, key, text: row.text, company },
      outcome: outcomeAt(row),
      why: explain(row, answer, language, choice),
      canSettle: (matchIn(answer)?.candidates.length ?? 0) > 0,
    };
  });
  return (
    <Stack component="section" gap="md" aria-label={t.label}>
      {onSettle === undefined ? null : (
        <Filter
          value={filter}
          outcomes={filterCounts(rows.map(outcomeAt))}
          onChange={(value) => {
            setFilter(value);
            setPage(1);
          }}
        />
      )}
      {shown.length === 0 ? <Text c="dimmed">{match.nothing}</Text> : null}
      <CardTable
        key={filter}
        rows={shown}
        cardsAtOnce={CARDS_AT_ONCE}
        nameOf={({ index, outcome }) => ({ key: String(index), testId: "row", state: outcome })}
        columns={[
          { title: t.row, cell: ({ index }) => formats.number(index + 1) },
          ...(onSettle === undefined
            ? [{ title: columns.kvkNumber, cell: ({ key, text }: Row) => key || text }]
            : [
                { title: plan.yours, cell: ({ text }: Row) => text },
                { title: columns.kvkNumber, cell: ({ company }: Row) => company?.kvkNumber },
              ]),
          { title: columns.name, cell: ({ company }) => company?.name },
          { title: columns.city, cell: ({ company }) => company?.city },
          {
            title: columns.outcome,
            cell: (row) => <Result row={row} onSettle={onSettle} />,
          },
        ]}
      />
      <Pages
        label={t.pages}
        total={chosen.length}
        pageSize={PAGE_SIZE}
        page={Math.min(page, pages)}
        onChange={setPage}
      />
    </Stack>
  );
}

interface Row {
  readonly index: number;
  readonly key: string;
  readonly text: string;
  readonly company:
    | {
        readonly kvkNumber: string;
        readonly name: string;
        readonly city?: string | undefined;
        readonly isActive: boolean;
      }
    | undefined;
  readonly outcome: Outcome;
  readonly why: string;
  readonly canSettle: boolean;
}

function filterCounts(outcomes: readonly Outcome[]): Readonly<Record<Shown, number>> {
  const counts = { all: outcomes.length, matched: 0, ambiguous: 0, none: 0, chosen: 0 };
  for (const outcome of outcomes) if (isShown(outcome)) counts[outcome] += 1;
  return counts;
}

function isShown(outcome: string): outcome is (typeof SHOWN)[number] {
  return SHOWN.some((shown) => shown === outcome);
}

interface FilterProps {
  readonly value: Shown;
  readonly outcomes: Readonly<Record<Shown, number>>;
  readonly onChange: (value: Shown) => void;
}

function Filter({ value, outcomes, onChange }: FilterProps) {
  const { rows: t } = useTexts(matchTexts);
  const { outcomes: names } = useTexts(resultTexts);
  const { number } = useLanguage().formats;
  return (
    <NativeSelect
      label={t.show}
      maw="20rem"
      value={value}
      data={[
        { value: "all", label: t.all(number(outcomes.all)) },
        ...SHOWN.map((outcome) => ({
          value: outcome,
          label: t.some(names[outcome], number(outcomes[outcome])),
        })),
      ]}
      onChange={({ currentTarget }) => onChange(isShown(currentTarget.value) ? currentTarget.value : "all")}
    />
  );
}

function Result({ row, onSettle }: { readonly row: Row } & Pick<Props, "onSettle">) {
  const { rows: t } = useTexts(texts);
  const { rows: match } = useTexts(matchTexts);
  const { number } = useLanguage().formats;
  const { outcome, why, company, canSettle } = row;
  const action = outcome === "ambiguous" ? match.check : match.change;
  return (
    <Stack gap={2} align="flex-start">
      <Verdict
        outcome={outcome}
        text={outcome === "found" && company?.isActive === false ? t.ended : undefined}
      />
      {why === "" || outcome === "waiting" ? null : (
        <Text size="xs" c="dimmed" maw="44ch">
          {why}
        </Text>
      )}
      {onSettle !== undefined && canSettle ? (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={match.rowName(action, number(row.index + 1))}
          onClick={() => onSettle(row.key)}
        >
          {action}
        </Button>
      ) : null}
    </Stack>
  );
}
