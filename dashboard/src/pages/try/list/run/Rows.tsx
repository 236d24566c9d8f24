import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Insolvency } from "../../../../../../src/contract/insolvency.ts";
import type { Peppol } from "../../../../../../src/contract/peppol.ts";
import { CardTable } from "../../../../components/CardTable.tsx";
import { Pages } from "../../../../components/Pages.tsx";
import { insolvencyTexts } from "../../../../language/insolvency.ts";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { peppolTexts } from "../../../../language/peppol.ts";
import { explain } from "../job/addedColumns.ts";
import {
  type Answer,
  type Choice,
  type Choices,
  canSettle,
  companyIn,
  isNumberKey,
  matchedIn,
  type Outcome,
  outcomeOfRow,
  scoreIn,
} from "../job/answers.ts";
import type { ListRow } from "../job/source.ts";
import { matchTexts } from "../matchTexts.ts";
import { resultTexts } from "../resultTexts.ts";
import { texts } from "../texts.ts";
import { RowFilter, type Shown } from "./RowFilter.tsx";
import { Verdict } from "./Verdict.tsx";

const PAGE_SIZE = 25;
const CARDS_AT_ONCE = 10;

interface Props {
  readonly rows: readonly ListRow[];
  readonly answers: ReadonlyMap<string, Answer>;
  readonly choices: Choices;
  /** Shows the candidates of a row. */
  readonly onSettle: (key: string) => void;
}

/** The list, row by row. */
export function ResultRows({ rows, answers, choices, onSettle }: Props) {
  const { rows: t } = useTexts(texts);
  const { plan, rows: match } = useTexts(matchTexts);
  const { columns } = useTexts(resultTexts);
  const { language, formats } = useLanguage();
  const [page, setPage] = useState(1);
  const [filter, setFilter] = useState<Shown>("all");
  const counts = new Map<Shown, number>([["all", rows.length]]);
  const filtered: number[] = [];
  for (const [index, row] of rows.entries()) {
    const outcome = outcomeOfRow(row, answers.get(row.key ?? ""), choices.get(row.key ?? ""));
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (filter === outcome) filtered.push(index);
  }
  const total = filter === "all" ? rows.length : filtered.length;
  // A decision can remove the last row of a page.
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const from = (Math.min(page, pages) - 1) * PAGE_SIZE;
  const shown = Array.from({ length: PAGE_SIZE }, (_, offset) => from + offset).flatMap((at) => {
    const index = filter === "all" ? at : filtered[at];
    const row = index === undefined ? undefined : rows[index];
    if (index === undefined || row === undefined) return [];
    const key = row.key ?? "";
    const answer = answers.get(key);
    const choice = choices.get(key);
    const outcome = outcomeOfRow(row, answer, choice);
    return {
      ...{ index, key, text: row.text, company: shownCompany(answer, choice), outcome },
      why: explain(row, answer, language, choice),
      canSettle: canSettle(answer, choice),
    };
  });
  // Answers of Peppol have neither.
  const hasNames = shown.every(({ company }) => company?.peppol === undefined);
  return (
    <Stack component="section" gap="md" aria-label={t.label}>
      <RowFilter
        value={filter}
        counts={counts}
        onChange={(value) => {
          setFilter(value);
          setPage(1);
        }}
      />
      {shown.length === 0 ? <Text c="dimmed">{match.nothing}</Text> : null}
      <CardTable
        key={filter}
        rows={shown}
        cardsAtOnce={CARDS_AT_ONCE}
        nameOf={({ index, outcome }) => ({ key: String(index), testId: "row", state: outcome })}
        columns={[
          { title: t.row, cell: ({ index }) => formats.number(index + 1) },
          { title: plan.yours, cell: ({ text }) => text && <span className="breaks">{text}</span> },
          {
            title: columns.kvkNumber,
            cell: ({ company, key }) => company?.kvkNumber ?? (isNumberKey(key) ? key : undefined),
          },
          ...(hasNames
            ? [
                { title: columns.name, cell: ({ company }: Row) => company?.name },
                { title: columns.city, cell: ({ company }: Row) => company?.city },
              ]
            : []),
          {
            title: columns.outcome,
            cell: (row) => <Result row={row} onSettle={onSettle} />,
          },
        ]}
      />
      <Pages
        label={t.pages}
        total={total}
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
        readonly name?: string | undefined;
        readonly city?: string | undefined;
        readonly isActive?: boolean | undefined;
        readonly score?: number | undefined;
        readonly insolvency?: Insolvency | undefined;
        readonly peppol?: Peppol | undefined;
      }
    | undefined;
  readonly outcome: Outcome;
  readonly why: string;
  readonly canSettle: boolean;
}

function shownCompany(answer: Answer | undefined, choice: Choice | undefined): Row["company"] {
  const company = companyIn(answer);
  return company === undefined ? matchedIn(answer, choice) : { ...company, city: company.address?.city };
}

function Result({ row, onSettle }: { readonly row: Row } & Pick<Props, "onSettle">) {
  const { rows: t } = useTexts(texts);
  const { rows: match, settle } = useTexts(matchTexts);
  const { number, percent } = useLanguage().formats;
  const { outcome, why, company, canSettle } = row;
  const { types } = useTexts(insolvencyTexts);
  const { statuses } = useTexts(peppolTexts);
  const { score, insolvency, peppol } = company ?? {};
  const ended = outcome === "found" && company?.isActive === false ? t.ended : undefined;
  const actions: Partial<Record<Outcome, string>> = {
    ...{ ambiguous: match.check, none: match.find, notFound: match.find },
  };
  const action = actions[outcome] ?? match.change;
  return (
    <Stack gap={2} align="flex-start">
      <Verdict
        outcome={peppol?.status === "reachable" ? "found" : outcome}
        text={peppol === undefined ? ended : statuses[peppol.status]}
      />
      {insolvency === undefined || insolvency.type === "none" ? null : (
        <Text size="xs">{types[insolvency.type]}</Text>
      )}
      {score === undefined ? null : (
        <Text size="xs" c="dimmed">
          {settle.score(scoreIn(score, percent))}
        </Text>
      )}
      {why === "" || outcome === "waiting" || outcome === "ambiguous" ? null : (
        <Text size="xs" c="dimmed" maw="44ch">
          {why}
        </Text>
      )}
      {canSettle ? (
        <Button
          variant="subtle"
          size="compact-sm"
          px={0}
          aria-label={match.rowName(action, number(row.index + 1))}
          onClick={() => onSettle(row.key)}
        >
          {action}
        </Button>
      ) : null}
    </Stack>
  );
}
