import { Checkbox, Group, Loader, NativeSelect, Stack, Text, Title } from "@mantine/core";
import { Facts } from "../../../../components/Facts.tsx";
import { Notice } from "../../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import type { CompanyList } from "../job/companyList.ts";
import { hasColumns, type Source } from "../job/source.ts";
import { matchTexts } from "../matchTexts.ts";
import { texts } from "../texts.ts";
import { Begin } from "./Begin.tsx";
import { FirstRows } from "./FirstRows.tsx";
import { ColumnPicker, optionsOf } from "./MatchColumns.tsx";
import { MatchPreview, usePreview } from "./MatchPreview.tsx";

const MAX_QUOTED = 40;

interface Props {
  readonly list: CompanyList;
  readonly source: Source;
}

/** The second step: choose the columns, and see the price. Nothing is looked up yet. */
export function PlanStep({ list, source }: Props) {
  const { plan: t } = useTexts(matchTexts);
  const { reading, items } = source;
  const matching = usePreview(list, source);
  return (
    <Stack gap="lg" data-testid="plan">
      <Title order={2} tabIndex={-1} className="heading breaks">
        {source.name}
      </Title>
      {hasColumns(reading) ? null : <Notice tone="warning">{t.neither}</Notice>}
      <Group className="columns">
        <Sheet list={list} source={source} />
      </Group>
      <ColumnPicker list={list} source={source} />
      <FirstRows source={source} />
      {items.isPending && items.rows.length === 0 ? (
        <Loader size="sm" aria-label={t.counting} />
      ) : (
        <>
          <RowNotes list={list} source={source} />
          <MatchPreview source={source} matching={matching} />
          <Begin list={list} source={source} isBusy={matching.isBusy} />
        </>
      )}
    </Stack>
  );
}

/** Chooses the sheet of a workbook that has several. */
function Sheet({ list, source }: Props) {
  const t = useTexts(texts).plan;
  const { sheets, sheet } = source.table;
  if (sheets.length < 2) return null;
  return (
    <NativeSelect
      label={t.sheet}
      value={String(sheet)}
      data={optionsOf(sheets)}
      onChange={(event) => void list.chooseSheet(Number(event.currentTarget.value))}
    />
  );
}

/** How many rows are looked up, matched and skipped. */
function RowNotes({ list, source: { reading, items } }: Props) {
  const { plan: t } = useTexts(texts);
  const { plan: match, rowsOf: written } = useTexts(matchTexts);
  const { number } = useLanguage().formats;
  const { rows, keys, numbers, skipped, short, other, examples } = items;
  const rowsOf = (count: number) => written(count, number(count));
  const shown = (count: number) => (count === 0 ? undefined : number(count));
  return (
    <>
      <Facts
        facts={[
          [t.rows, number(rows.length)],
          [t.numbers, shown(numbers)],
          [match.sent, shown(keys.length - numbers)],
          [match.skipped, shown(skipped)],
        ]}
      />
      {hasColumns(reading) && reading.columns.name === undefined && skipped > 0 ? (
        <Notice tone="warning">{match.noName}</Notice>
      ) : null}
      {short === 0 ? null : (
        <Notice tone="warning">
          <Stack gap="xs">
            <Text size="sm">{t.short(rowsOf(short))}</Text>
            <Checkbox
              label={t.complete}
              checked={reading.completes}
              onChange={(event) => void list.choose({ ...reading, completes: event.currentTarget.checked })}
            />
          </Stack>
        </Notice>
      )}
      {other === 0 ? null : (
        <Notice tone="info">
          <Text size="sm" className="breaks">
            {t.other(rowsOf(other), examples.map((text) => t.quoted(text.slice(0, MAX_QUOTED))).join(", "))}
          </Text>
        </Notice>
      )}
      {skipped === 0 || keys.length === 0 ? null : <Notice tone="info">{match.skippedWhy}</Notice>}
    </>
  );
}
