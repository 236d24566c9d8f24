import { Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { CardTable } from "../../../components/CardTable.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { Pages } from "../../../components/Pages.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { explain } from "./job/addedColumns.ts";
import { type Answer, companyIn, type Outcome, outcomeOfRow } from "./job/answers.ts";
import type { ListRow } from "./job/source.ts";
import { resultTexts } from "./resultTexts.ts";
import { texts } from "./texts.ts";

const PAGE_SIZE = 25;
const CARDS_AT_ONCE = 10;

const STYLES = {
  found: { icon: "check", className: "verdict valid" },
  notFound: { icon: "warning", className: "verdict invalid" },
  noAnswer: { icon: "info", className: "verdict unknown" },
  notANumber: { icon: "warning", className: "verdict invalid" },
  empty: { icon: "info", className: "verdict unknown" },
  waiting: { icon: "pulse", className: "verdict unknown" },
} as const;

interface Props {
  readonly rows: readonly ListRow[];
  readonly answers: ReadonlyMap<string, Answer>;
}

export function Rows({ rows, answers }: Props) {
  const { rows: t } = useTexts(texts);
  const { columns } = useTexts(resultTexts);
  const { language, formats } = useLanguage();
  const [page, setPage] = useState(1);
  const from = (page - 1) * PAGE_SIZE;
  const shown = rows.slice(from, from + PAGE_SIZE).map((row, offset) => {
    const answer = answers.get(row.number ?? "");
    return {
      index: from + offset,
      number: row.number ?? row.text,
      company: companyIn(answer),
      outcome: outcomeOfRow(row, answer),
      why: explain(row, answer, language),
    };
  });
  return (
    <Stack component="section" gap="md" aria-label={t.label}>
      <CardTable
        rows={shown}
        cardsAtOnce={CARDS_AT_ONCE}
        nameOf={({ index, outcome }) => ({ key: String(index), testId: "row", state: outcome })}
        columns={[
          { title: t.row, cell: ({ index }) => formats.number(index + 1) },
          { title: columns.kvkNumber, cell: ({ number }) => number },
          { title: columns.name, cell: ({ company }) => company?.name },
          { title: columns.city, cell: ({ company }) => company?.address.city },
          {
            title: columns.outcome,
            cell: ({ company, ...row }) => <Result {...row} hasEnded={company?.isActive === false} />,
          },
        ]}
      />
      <Pages label={t.pages} total={rows.length} pageSize={PAGE_SIZE} page={page} onChange={setPage} />
    </Stack>
  );
}

interface ResultProps {
  readonly outcome: Outcome;
  readonly why: string;
  readonly hasEnded: boolean;
}

function Result({ outcome, why, hasEnded }: ResultProps) {
  const { rows: t } = useTexts(texts);
  const { outcomes } = useTexts(resultTexts);
  const { icon, className } = STYLES[outcome];
  return (
    <Stack gap={2}>
      <Group gap={6} wrap="nowrap" className={className}>
        <Icon name={icon} size={16} />
        {hasEnded ? t.ended : outcomes[outcome]}
      </Group>
      {why === "" || outcome === "waiting" ? null : (
        <Text size="xs" c="dimmed" maw="44ch">
          {why}
        </Text>
      )}
    </Stack>
  );
}
