import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { readPlans, readUsage } from "../../../api/account.ts";
import { Facts } from "../../../components/Facts.tsx";
import { Loaded } from "../../../components/Loaded.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { useQuery } from "../../../queries/useQuery.ts";
import type { ListClient } from "./listClient.ts";
import { Preview } from "./Preview.tsx";
import { type Balance, Price, pricesIn, useTokens } from "./Price.tsx";
import type { Ask, Plan } from "./protocol.ts";
import { StepTitle } from "./StepTitle.tsx";
import { texts } from "./texts.ts";

const MOST_QUOTED = 40;

interface Props {
  readonly client: ListClient;
  readonly plan: Plan;
}

/** What was read, which column it is, what it comes to and what it costs; nothing is asked yet. */
export function PlanStep({ client, plan }: Props) {
  const t = useTexts(texts).plan;
  const { number } = useLanguage().formats;
  const rowsOf = (count: number) => (count === 1 ? t.oneRow : t.manyRows(number(count)));
  const choose = (ask: Ask<"choose">) => client.send("choose", ask);
  return (
    <Stack gap="lg" data-testid="plan">
      <StepTitle>{plan.name}</StepTitle>
      <Columns plan={plan} onChoose={choose} />
      <Preview plan={plan} />
      <Facts
        facts={[
          [t.rows, number(plan.rows)],
          [t.numbers, number(plan.numbers)],
          [t.empty, plan.empty === 0 ? undefined : number(plan.empty)],
        ]}
      />
      {plan.short === 0 ? null : (
        <Notice tone="warning">
          <Stack gap="xs">
            <Text size="sm">{t.short(rowsOf(plan.short))}</Text>
            <Checkbox
              label={t.complete}
              checked={plan.completes}
              onChange={(event) => choose({ completes: event.currentTarget.checked })}
            />
          </Stack>
        </Notice>
      )}
      {plan.other === 0 ? null : (
        <Notice tone="info">
          <Text size="sm" className="breaks">
            {t.other(
              rowsOf(plan.other),
              plan.examples.map((text) => t.quoted(text.slice(0, MOST_QUOTED))).join(", "),
            )}
          </Text>
        </Notice>
      )}
      <Begin client={client} plan={plan} />
    </Stack>
  );
}

interface ColumnsProps {
  readonly plan: Plan;
  readonly onChoose: (ask: Ask<"choose">) => void;
}

function Columns({ plan, onChoose }: ColumnsProps) {
  const t = useTexts(texts).plan;
  const { column, columns, foundBy, sheets, sheet } = plan;
  const says = { name: t.byName, values: t.byValues, reader: undefined, nobody: t.byNobody };
  return (
    <Group align="flex-end" gap="md" className="columns">
      {sheets.length < 2 ? null : (
        <NativeSelect
          label={t.sheet}
          value={String(sheet)}
          data={sheets.map((label, index) => ({ label, value: String(index) }))}
          onChange={(event) => onChoose({ sheet: Number(event.currentTarget.value) })}
        />
      )}
      <NativeSelect
        label={t.column}
        description={says[foundBy ?? "nobody"]}
        value={column === undefined ? "" : String(column)}
        data={[
          ...(column === undefined ? [{ label: t.columnNone, value: "" }] : []),
          ...columns.map((label, index) => ({ label, value: String(index) })),
        ]}
        onChange={(event) => {
          if (event.currentTarget.value !== "") onChoose({ column: Number(event.currentTarget.value) });
        }}
      />
    </Group>
  );
}

/** Prices and balance in one, so that nothing is shown of one without the other. */
async function readBalance(): Promise<Balance> {
  const [{ prices }, { remaining, period }] = await Promise.all([readPlans(), readUsage()]);
  return { prices: pricesIn(prices), remaining, renewedAt: period.end };
}

function Begin({ client, plan }: Props) {
  const t = useTexts(texts).plan;
  const balance = useQuery(readBalance);
  const [isEverything, setEverything] = useState(false);
  const { tokens } = useTokens();
  const another = (
    <Button variant="default" onClick={() => client.send("discard", { keepsFile: false })}>
      {t.another}
    </Button>
  );
  if (plan.numbers === 0) {
    return (
      <Stack gap="lg">
        {plan.column === undefined ? null : (
          <Notice tone="warning">{plan.sheets.length < 2 ? t.nothing : t.nothingOnSheet}</Notice>
        )}
        <Group>{another}</Group>
      </Stack>
    );
  }
  return (
    <Loaded of={balance} height={220}>
      {(value) => {
        const price = isEverything ? value.prices.everything : value.prices.basic;
        return (
          <Stack gap="lg">
            <Radio.Group
              label={t.what}
              value={isEverything ? "everything" : "basic"}
              onChange={(chosen) => setEverything(chosen === "everything")}
            >
              <Stack gap="sm" mt="xs">
                <Radio value="basic" label={t.basic} description={t.each(tokens(value.prices.basic))} />
                <Radio
                  value="everything"
                  label={t.everything}
                  description={t.each(tokens(value.prices.everything))}
                />
              </Stack>
            </Radio.Group>
            <Price balance={value} price={price} numbers={plan.numbers} />
            <Group>
              <Button
                disabled={value.remaining < price}
                onClick={() => client.send("start", { isEverything })}
              >
                {t.start}
              </Button>
              {another}
            </Group>
            <Text size="sm" c="dimmed">
              {t.keeps}
            </Text>
          </Stack>
        );
      }}
    </Loaded>
  );
}
