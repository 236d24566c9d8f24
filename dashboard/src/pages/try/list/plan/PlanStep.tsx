import { Checkbox, Group, Loader, NativeSelect, Radio, Stack, Text, Title } from "@mantine/core";
import { Facts } from "../../../../components/Facts.tsx";
import { Notice } from "../../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import type { CompanyList } from "../job/companyList.ts";
import { hasColumns, type LookupReading, readingAs, type Source } from "../job/source.ts";
import { matchTexts } from "../matchTexts.ts";
import { texts } from "../texts.ts";
import { Begin } from "./Begin.tsx";
import { FirstRows } from "./FirstRows.tsx";
import { MatchColumns } from "./MatchColumns.tsx";
import { MatchPreview } from "./MatchPreview.tsx";
import { NumberColumn, optionsOf } from "./NumberColumn.tsx";

const MAX_QUOTED = 40;

interface Props {
  readonly list: CompanyList;
  readonly source: Source;
}

/** The second step: choose the columns, and see the price. Nothing is looked up yet. */
export function PlanStep({ list, source }: Props) {
  const { plan: t } = useTexts(matchTexts);
  const { reading, found, items } = source;
  const switchTo = (kind: string) =>
    void list.choose(readingAs(kind === "match" ? "match" : "lookup", found));
  return (
    <Stack gap="lg" data-testid="plan">
      <Title order={2} tabIndex={-1} className="heading breaks">
        {source.name}
      </Title>
      <Radio.Group label={t.has} value={reading.kind} onChange={switchTo}>
        <Group gap="lg" mt="xs">
          <Radio value="lookup" label={t.numbers} />
          <Radio value="match" label={t.names} />
        </Group>
      </Radio.Group>
      {reading.kind === "match" && !hasColumns(reading) ? <Notice tone="warning">{t.neither}</Notice> : null}
      <Group align="flex-end" gap="md" className="columns">
        <Sheet list={list} source={source} />
        {reading.kind === "lookup" ? <NumberColumn list={list} source={source} reading={reading} /> : null}
      </Group>
      {reading.kind === "match" ? <MatchColumns list={list} source={source} reading={reading} /> : null}
      <FirstRows source={source} />
      {items.isPending && items.rows.length === 0 ? (
        <Loader size="sm" aria-label={t.counting} />
      ) : (
        <>
          {reading.kind === "lookup" ? (
            <NumberNotes list={list} source={source} reading={reading} />
          ) : (
            <RowNotes source={source} />
          )}
          {reading.kind === "match" ? <MatchPreview key={rowsKey(source)} source={source} /> : null}
          <Begin list={list} source={source} />
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

/** A preview belongs to the columns that it was made for. */
const rowsKey = ({ reading, table }: Source) => JSON.stringify([reading, table.sheet]);

function RowNotes({ source: { items } }: Pick<Props, "source">) {
  const { plan: t } = useTexts(matchTexts);
  const { plan } = useTexts(texts);
  const { number } = useLanguage().formats;
  return (
    <>
      <Facts
        facts={[
          [plan.rows, number(items.rows.length)],
          [t.sent, number(items.keys.length)],
          [t.skipped, items.empty === 0 ? undefined : number(items.empty)],
        ]}
      />
      {items.empty === 0 || items.keys.length === 0 ? null : <Notice tone="info">{t.skippedWhy}</Notice>}
    </>
  );
}

function NumberNotes({ list, source, reading }: Props & { readonly reading: LookupReading }) {
  const t = useTexts(texts).plan;
  const { number } = useLanguage().formats;
  const { rows, keys, empty, short, other, examples } = source.items;
  const rowsOf = (count: number) => (count === 1 ? t.oneRow : t.manyRows(number(count)));
  return (
    <>
      <Facts
        facts={[
          [t.rows, number(rows.length)],
          [t.numbers, number(keys.length)],
          [t.empty, empty === 0 ? undefined : number(empty)],
        ]}
      />
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
    </>
  );
}
