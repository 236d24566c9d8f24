import { Button, Stack, Text } from "@mantine/core";
import type { SentMatchQuery } from "../../../../../../src/contract/matchResources.ts";
import { PRICES } from "../../../../../../src/contract/prices.ts";
import { known, present } from "../../../../../../src/lib/values.ts";
import { matchQueries } from "../../../../api/publicApi.ts";
import { CallCost } from "../../../../components/CallCost.tsx";
import { CardTable } from "../../../../components/CardTable.tsx";
import { FocusedResult } from "../../../../components/FocusedResult.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { type Mutation, useMutation } from "../../../../queries/useMutation.ts";
import { CallProblem } from "../../CallProblem.tsx";
import { useTokenMeter, useTokens } from "../../tokenMeter.tsx";
import { matchIn, scoreIn, slim } from "../job/answers.ts";
import type { CompanyList } from "../job/companyList.ts";
import type { Previewed, Source } from "../job/source.ts";
import { matchTexts } from "../matchTexts.ts";
import { resultTexts } from "../resultTexts.ts";
import { Verdict } from "../run/Verdict.tsx";

interface Props {
  readonly source: Source;
  readonly matching: Mutation<[]>;
}

/** Matches some rows when the person asks for it. It is charged like any call, and the list keeps the results. */
export function usePreview(list: CompanyList, { items }: Source): Mutation<[]> {
  const { count } = useTokenMeter();
  return useMutation(async () => {
    const queries = items.previewQueries.map(({ key, query }) =>
      present<SentMatchQuery>({ id: key, ...query }),
    );
    const { outcome, cost } = count(await matchQueries(queries));
    if ("failure" in outcome) throw outcome.failure;
    const answers = outcome.body.results.flatMap(({ id: key, decision, candidates, notes }) =>
      decision === undefined || candidates === undefined
        ? []
        : { key, result: slim({ decision, candidates, ...known("notes", notes) }) },
    );
    list.preview(items, { answers, spent: cost.charged });
  });
}

/** Offers a preview, and shows its results. */
export function MatchPreview({ source: { items, previewed }, matching }: Props) {
  const { plan: t, rowsOf } = useTexts(matchTexts);
  const { formats } = useLanguage();
  const tokens = useTokens();
  const { length } = items.previewQueries;
  if (length === 0) return null;
  const about = (
    <Text size="sm" c="dimmed">
      {t.previewAbout}
    </Text>
  );
  if (previewed !== undefined) {
    const texts = new Map(items.rows.map(({ key, text }) => [key, text]));
    return (
      <FocusedResult>
        <Stack gap="sm" component="section" aria-label={t.preview}>
          <Text fw={600}>{t.preview}</Text>
          {about}
          <ResultTable answers={previewed.answers} textOf={(key) => texts.get(key) ?? ""} />
          <CallCost cost={{ charged: previewed.spent, remaining: undefined }} />
        </Stack>
      </FocusedResult>
    );
  }
  return (
    <Stack gap="sm" align="flex-start">
      <Button
        variant="light"
        loading={matching.isBusy}
        disabled={items.isPending === true}
        onClick={() => void matching.run()}
      >
        {t.showPreview(rowsOf(length, formats.number(length)), tokens(length * PRICES.match))}
      </Button>
      {about}
      <CallProblem failure={matching.failure} />
    </Stack>
  );
}

interface TableProps {
  readonly answers: Previewed["answers"];
  readonly textOf: (key: string) => string;
}

function ResultTable({ answers, textOf }: TableProps) {
  const { plan: t } = useTexts(matchTexts);
  const { columns } = useTexts(resultTexts);
  const { percent } = useLanguage().formats;
  const rows = answers.map((answer) => ({ key: answer.key, ...matchIn(answer) }));
  return (
    <CardTable
      rows={rows}
      nameOf={({ key, decision = "none" }) => ({ key, testId: "preview-row", state: decision })}
      columns={[
        { title: t.yours, cell: ({ key }) => <span className="breaks">{textOf(key)}</span> },
        { title: columns.name, cell: ({ candidates = [] }) => candidates[0]?.name },
        { title: columns.kvkNumber, cell: ({ candidates = [] }) => candidates[0]?.kvkNumber },
        { title: columns.city, cell: ({ candidates = [] }) => candidates[0]?.city },
        {
          title: columns.score,
          cell: ({ candidates = [] }) => candidates[0] && scoreIn(candidates[0].score, percent),
        },
        { title: columns.decision, cell: ({ decision = "none" }) => <Verdict outcome={decision} /> },
      ]}
    />
  );
}
