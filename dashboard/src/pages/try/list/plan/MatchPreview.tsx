import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { MatchResult, SentMatchQuery } from "../../../../../../src/contract/matchResources.ts";
import { PRICES } from "../../../../../../src/contract/prices.ts";
import { known, present } from "../../../../../../src/lib/values.ts";
import { matchQueries } from "../../../../api/publicApi.ts";
import { CallCost } from "../../../../components/CallCost.tsx";
import { CardTable } from "../../../../components/CardTable.tsx";
import { FocusedResult } from "../../../../components/FocusedResult.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { useMutation } from "../../../../queries/useMutation.ts";
import { CallProblem } from "../../CallProblem.tsx";
import { useTokenMeter, useTokens } from "../../tokenMeter.tsx";
import { scoreIn, slim } from "../job/answers.ts";
import type { CompanyList } from "../job/companyList.ts";
import type { Source } from "../job/source.ts";
import { matchTexts } from "../matchTexts.ts";
import { resultTexts } from "../resultTexts.ts";
import { Verdict } from "../run/Verdict.tsx";

type Results = Awaited<ReturnType<typeof matchQueries>>;

interface Props {
  readonly list: CompanyList;
  readonly source: Source;
}

/** Matches some rows when the person asks for it. It is charged like any call, and the list keeps the results. */
export function MatchPreview({ list, source: { items } }: Props) {
  const { plan: t, rowsOf } = useTexts(matchTexts);
  const { formats } = useLanguage();
  const tokens = useTokens();
  const { count } = useTokenMeter();
  const [call, setCall] = useState<Results>();
  const { previewQueries } = items;
  const matching = useMutation(async () => {
    const queries = previewQueries.map(({ key, query }) => present<SentMatchQuery>({ id: key, ...query }));
    const done = count(await matchQueries(queries));
    if ("failure" in done.outcome) throw done.outcome.failure;
    setCall(done);
    const answers = done.outcome.body.results.flatMap(({ id: key, decision, candidates, notes }) =>
      decision === undefined || candidates === undefined
        ? []
        : { key, result: slim({ decision, candidates, ...known("notes", notes) }) },
    );
    list.preview(items, { answers, spent: done.cost.charged });
  });
  if (previewQueries.length === 0) return null;
  const about = (
    <Text size="sm" c="dimmed">
      {t.previewAbout}
    </Text>
  );
  const results = call !== undefined && "body" in call.outcome ? call.outcome.body.results : undefined;
  if (call !== undefined && results !== undefined) {
    const texts = new Map(items.rows.map(({ key, text }) => [key, text]));
    return (
      <FocusedResult>
        <Stack gap="sm" component="section" aria-label={t.preview}>
          <Text fw={600}>{t.preview}</Text>
          {about}
          <ResultTable results={results} textOf={(key) => texts.get(key) ?? ""} />
          <CallCost cost={call.cost} />
        </Stack>
      </FocusedResult>
    );
  }
  const rows = rowsOf(previewQueries.length, formats.number(previewQueries.length));
  return (
    <Stack gap="sm" align="flex-start">
      <Button
        variant="light"
        loading={matching.isBusy}
        disabled={items.isPending === true}
        onClick={() => void matching.run()}
      >
        {t.showPreview(rows, tokens(previewQueries.length * PRICES.match))}
      </Button>
      {about}
      <CallProblem failure={matching.failure} />
    </Stack>
  );
}

interface TableProps {
  readonly results: readonly MatchResult[];
  readonly textOf: (key: string) => string;
}

function ResultTable({ results, textOf }: TableProps) {
  const { plan: t } = useTexts(matchTexts);
  const { columns } = useTexts(resultTexts);
  const { percent } = useLanguage().formats;
  return (
    <CardTable
      rows={results}
      nameOf={({ id, decision = "none" }) => ({ key: id, testId: "preview-row", state: decision })}
      columns={[
        { title: t.yours, cell: ({ id }) => <span className="breaks">{textOf(id)}</span> },
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
