import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { AccountUsage } from "../../../../../src/contract/accountResources.ts";
import { PRICES } from "../../../../../src/contract/prices.ts";
import { readUsage } from "../../../api/account.ts";
import { Facts } from "../../../components/Facts.tsx";
import { Loaded } from "../../../components/Loaded.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { useQuery } from "../../../queries/useQuery.ts";
import { useTokens } from "../tokenMeter.tsx";
import type { CompanyList } from "./job/companyList.ts";
import { type Source, titlesOf } from "./job/source.ts";
import { Preview } from "./Preview.tsx";
import { texts } from "./texts.ts";

const MAX_QUOTED = 40;

interface Props {
  readonly list: CompanyList;
  readonly source: Source;
}

/** The second step: choose the column with KVK numbers, and see the price. Nothing is looked up yet. */
export function PlanStep({ list, source }: Props) {
  const t = useTexts(texts).plan;
  const { number } = useLanguage().formats;
  const { rows, distinct, empty, short, other, examples } = source.numbers;
  const rowsOf = (count: number) => (count === 1 ? t.oneRow : t.manyRows(number(count)));
  return (
    <Stack gap="lg" data-testid="plan">
      <Title order={2} tabIndex={-1} className="heading breaks">
        {source.name}
      </Title>
      <Columns list={list} source={source} />
      <Preview source={source} />
      <Facts
        facts={[
          [t.rows, number(rows.length)],
          [t.numbers, number(distinct.length)],
          [t.empty, empty === 0 ? undefined : number(empty)],
        ]}
      />
      {short === 0 ? null : (
        <Notice tone="warning">
          <Stack gap="xs">
            <Text size="sm">{t.short(rowsOf(short))}</Text>
            <Checkbox
              label={t.complete}
              checked={source.completes}
              onChange={(event) => void list.choose({ completes: event.currentTarget.checked })}
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
      <Begin list={list} source={source} />
    </Stack>
  );
}

function Columns({ list, source }: Props) {
  const t = useTexts(texts).plan;
  const { sheets, sheet } = source.table;
  const { column, by } = source.found;
  const hints = { name: t.byName, values: t.byValues, reader: undefined, none: t.byNone };
  const optionsOf = (labels: readonly string[]) =>
    labels.map((label, index) => ({ label, value: String(index) }));
  return (
    <Group align="flex-end" gap="md" className="columns">
      {sheets.length < 2 ? null : (
        <NativeSelect
          label={t.sheet}
          value={String(sheet)}
          data={optionsOf(sheets)}
          onChange={(event) => void list.choose({ sheet: Number(event.currentTarget.value) })}
        />
      )}
      <NativeSelect
        label={t.column}
        description={hints[by ?? "none"]}
        value={column === undefined ? "" : String(column)}
        data={[
          ...(column === undefined ? [{ label: t.columnNone, value: "", disabled: true }] : []),
          ...optionsOf(titlesOf(source)),
        ]}
        onChange={(event) => void list.choose({ column: Number(event.currentTarget.value) })}
      />
    </Group>
  );
}

function Begin({ list, source: { table, found, numbers } }: Props) {
  const t = useTexts(texts).plan;
  const tokens = useTokens();
  const usage = useQuery(readUsage);
  const [isEverything, setEverything] = useState(false);
  const { "jobs.lookup": basic, "jobs.lookup.enriched": everything } = PRICES;
  const price = isEverything ? everything : basic;
  const another = (
    <Button variant="default" onClick={() => list.discard(false)}>
      {t.another}
    </Button>
  );
  if (numbers.distinct.length === 0) {
    return (
      <Stack gap="lg">
        {found.column === undefined ? null : (
          <Notice tone="warning">{table.sheets.length < 2 ? t.nothing : t.nothingOnSheet}</Notice>
        )}
        <Group>{another}</Group>
      </Stack>
    );
  }
  return (
    <Loaded of={usage} height={220}>
      {(balance) => (
        <Stack gap="lg">
          <Radio.Group
            label={t.what}
            value={isEverything ? "everything" : "basic"}
            onChange={(chosen) => setEverything(chosen === "everything")}
          >
            <Stack gap="sm" mt="xs">
              <Radio value="basic" label={t.basic} description={t.each(tokens(basic))} />
              <Radio value="everything" label={t.everything} description={t.each(tokens(everything))} />
            </Stack>
          </Radio.Group>
          <Price balance={balance} price={price} numbers={numbers.distinct.length} />
          <Group>
            <Button disabled={balance.remaining < price} onClick={() => list.start(isEverything)}>
              {t.start}
            </Button>
            {another}
          </Group>
          <Text size="sm" c="dimmed">
            {t.keeps}
          </Text>
        </Stack>
      )}
    </Loaded>
  );
}

interface PriceProps {
  readonly balance: AccountUsage;
  /** Maximum tokens per number. */
  readonly price: number;
  readonly numbers: number;
}

/** The price of a list, and whether the remaining tokens suffice. */
function Price({ balance: { remaining, period }, price, numbers }: PriceProps) {
  const { plan: t, numbersOf } = useTexts(texts);
  const { number, day } = useLanguage().formats;
  const tokens = useTokens();
  const total = price * numbers;
  const covered = Math.floor(remaining / price);
  const left = tokens(remaining);
  const balanceText =
    remaining >= total
      ? t.enough(left, number(remaining - total))
      : covered === 0
        ? t.none(left, day(period.end))
        : t.runsOut(left, numbersOf(covered, number(covered)));
  return (
    <Stack gap={4} data-testid="price">
      <Text fw={600}>{t.price(tokens(total))}</Text>
      <Text size="sm" {...(remaining >= total && { c: "dimmed" })}>
        {balanceText}
      </Text>
    </Stack>
  );
}
