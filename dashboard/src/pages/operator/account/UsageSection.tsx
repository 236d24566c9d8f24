import { NativeSelect, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { AdminUsage } from "../../../../../src/contract/oneAccountResources.ts";
import { readUsageOf } from "../../../api/operator.ts";
import { Loaded } from "../../../components/Loaded.tsx";
import { Section } from "../../../components/Section.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { operations } from "../../../language/operations.ts";
import { useQuery } from "../../../queries/useQuery.ts";
import { type Counted, failedIn, refusedIn, UsageTable } from "../../usage/UsageTable.tsx";
import { texts } from "./texts.ts";

/** The usage of an account: one year by month, and one month by type of call. */
export function UsageSection({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const [month, setMonth] = useState("");
  const usage = useQuery(() => readUsageOf(id, month), month);
  return (
    <Section title={t.usage} about={t.usageAbout}>
      <Loaded query={usage} height={320}>
        {(value) => (
          <Stack gap="lg">
            <Months months={value.months} />
            <ByOperation usage={value} onMonth={setMonth} />
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function Months({ months }: Pick<AdminUsage, "months">) {
  const t = useTexts(texts);
  const { month: monthName } = useLanguage().formats;
  const used = months.filter(isUsed).toReversed();
  if (used.length === 0) return <Text c="dimmed">{t.noUseInYear}</Text>;
  return (
    <UsageTable title={t.month} lines={used.map((line) => ({ ...line, title: monthName(line.month) }))} />
  );
}

interface ByOperationProps {
  readonly usage: AdminUsage;
  readonly onMonth: (month: string) => void;
}

function ByOperation({ usage: { months, month, byOperation, testByOperation }, onMonth }: ByOperationProps) {
  const t = useTexts(texts);
  const names = useTexts(operations);
  const { month: monthName } = useLanguage().formats;
  const named = (lines: AdminUsage["byOperation"]) =>
    lines.map((line) => ({ ...line, title: names[line.operation] }));
  return (
    <Stack gap="md">
      <Title order={3}>{t.byOperation}</Title>
      <NativeSelect
        maw={280}
        label={t.month}
        value={month}
        data={months.toReversed().map((line) => ({ value: line.month, label: monthName(line.month) }))}
        onChange={(event) => onMonth(event.currentTarget.value)}
      />
      {byOperation.length === 0 ? (
        <Text c="dimmed">{t.noUseInMonth}</Text>
      ) : (
        <UsageTable title={t.operation} lines={named(byOperation)} />
      )}
      {testByOperation === undefined ? null : (
        <>
          <Title order={3}>{t.testKeys}</Title>
          <UsageTable title={t.operation} lines={named(testByOperation)} isOfTests />
        </>
      )}
    </Stack>
  );
}

function isUsed(line: Counted): boolean {
  return line.tokens + line.requests + failedIn(line) + refusedIn(line) > 0;
}
