import { NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { AccountUsage } from "../../../../src/contract/accountResources.ts";
import { readRange } from "../../api/account.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useKeyName } from "../../language/names.ts";
import { operations } from "../../language/operations.ts";
import { useQuery } from "../../queries/useQuery.ts";
import { texts } from "./texts.ts";
import { UsageTable } from "./UsageTable.tsx";

const DAY_MS = 86_400_000;
const MAX_DAYS = 367;

/** The usage of a chosen period by type of call, for all keys or one. */
export function Range({ usage }: { readonly usage: AccountUsage }) {
  const t = useTexts(texts);
  const keyName = useKeyName();
  const [from, setFrom] = useState(usage.period.start.slice(0, 10));
  const [to, setTo] = useState(new Date(Date.parse(usage.period.end) - 1).toISOString().slice(0, 10));
  const [key, setKey] = useState("");
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const isGood = days >= 1 && days <= MAX_DAYS;
  const keys = usage.byKey.map((line) => ({ value: line.keyId, label: keyName(line) }));
  return (
    <Section title={t.range} about={t.rangeAbout}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <TextInput
          type="date"
          label={t.from}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t.to}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <NativeSelect
          label={t.key}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          data={[{ value: "", label: t.allKeys }, ...keys]}
        />
      </SimpleGrid>
      {isGood ? <Used from={from} to={to} of={key} /> : <Text c="red">{t.rangeWrong}</Text>}
    </Section>
  );
}

interface UsedProps {
  readonly from: string;
  readonly to: string;
  /** A key's id; empty for all. */
  readonly of: string;
}

function Used({ from, to, of: key }: UsedProps) {
  const t = useTexts(texts);
  const names = useTexts(operations);
  const { number } = useLanguage().formats;
  const range = useQuery(() => readRange(from, to, key), `${from} ${to} ${key}`);
  return (
    <Loaded query={range} height={120}>
      {({ byOperation, total, test }) => {
        const tested =
          test === undefined ? null : (
            <MutedText data-testid="tested-range">
              {t.testedRange(number(test.total.requests), number(test.total.tokens))}
            </MutedText>
          );
        if (byOperation.length === 0) return tested ?? <Text c="dimmed">{t.noneInRange}</Text>;
        const lines = byOperation.map((line) => ({ ...line, title: names[line.operation] }));
        return (
          <Stack gap="md">
            <UsageTable title={t.operation} lines={[...lines, { ...total, title: t.total }]} />
            {tested}
          </Stack>
        );
      }}
    </Loaded>
  );
}
