import { Anchor, Button, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { AccountUsage } from "../../../../src/contract/accountResources.ts";
import { readMonths, readUsage, readUsageFile } from "../../api/account.ts";
import { Allowance } from "../../components/Allowance.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { saveTable } from "../../components/saveFile.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useKeyName } from "../../language/names.ts";
import { useMutation } from "../../queries/useMutation.ts";
import { type Query, useQuery } from "../../queries/useQuery.ts";
import { linkTo } from "../../router/router.ts";
import { DayChart } from "./DayChart.tsx";
import { Months } from "./Months.tsx";
import { Range } from "./Range.tsx";
import { texts } from "./texts.ts";
import { UsageTable } from "./UsageTable.tsx";
import { usageRows } from "./usageFile.ts";

/** Usage: this month by day, operation and key, failed and refused calls, and the year. */
export function UsagePage() {
  const t = useTexts(texts);
  const usage = useQuery(readUsage);
  const months = useQuery(readMonths);
  const { language, formats } = useLanguage();
  const { number } = formats;
  const saving = useMutation(async (month: string) => {
    saveTable(`${t.title} ${month}`, usageRows(await readUsageFile(month), language), language);
  });
  const month = usage.value?.period.start.slice(0, 7);
  return (
    <>
      <PageTitle title={t.title} about={t.about} />
      <Problem failure={saving.failure} />
      <Section title={t.month}>
        <Loaded query={usage} height={108}>
          {(value) => (
            <Stack gap="sm">
              <Allowance usage={value} />
              {value.sessionCalls === 0 ? null : (
                <MutedText data-testid="sessions">
                  {t.sessions(number(value.sessions), number(value.sessionCalls))}
                </MutedText>
              )}
            </Stack>
          )}
        </Loaded>
      </Section>
      <Section
        title={t.byDay}
        about={t.byDayAbout}
        aside={
          month === undefined ? null : (
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="download" size={16} />}
              loading={saving.isBusy}
              onClick={() => void saving.run(month)}
            >
              {t.download}
            </Button>
          )
        }
      >
        <Loaded query={usage} height={360}>
          {(value) =>
            value.byDay.length === 0 ? (
              <EmptyState icon="chart">
                {value.test === undefined ? t.none : t.noneButTests}{" "}
                <Anchor href={linkTo("try")}>{t.try}</Anchor>
              </EmptyState>
            ) : (
              <DayChart usage={value} />
            )
          }
        </Loaded>
      </Section>
      <Section title={t.byKey}>
        <Loaded query={usage} height={120}>
          {(value) => (
            <>
              <ByKey usage={value} />
              {value.test === undefined ? null : (
                <MutedText data-testid="tested">
                  {t.tested(number(value.test.requests), number(value.test.tokens), number(value.limit))}
                </MutedText>
              )}
            </>
          )}
        </Loaded>
      </Section>
      <Reasons
        title={t.failures}
        about={t.failuresAbout}
        aside={<Anchor href={linkTo("calls")}>{t.toCalls}</Anchor>}
        usage={usage}
        none={t.noneFailed}
        reasons={[
          { of: "failedByCaller", name: t.byCaller, about: t.byCallerAbout },
          { of: "failedByService", name: t.byService, about: t.byServiceAbout },
        ]}
      />
      <Reasons
        title={t.refusals}
        about={t.refusalsAbout}
        usage={usage}
        none={t.noneRefused}
        reasons={[
          { of: "refusedByRate", name: t.byRate, about: t.byRateAbout },
          { of: "refusedByAllowance", name: t.byAllowance, about: t.byAllowanceAbout },
        ]}
      />
      <Section title={t.months}>
        <Loaded query={months} height={320}>
          {(value) => <Months months={value.months} onSave={(name) => void saving.run(name)} />}
        </Loaded>
      </Section>
      {usage.value === undefined ? null : <Range usage={usage.value} />}
    </>
  );
}

function ByKey({ usage: { byKey, otherKeys, test } }: { readonly usage: AccountUsage }) {
  const t = useTexts(texts);
  const keyName = useKeyName();
  // Test calls have a section of their own below.
  if (byKey.length === 0) return test === undefined ? <Text c="dimmed">{t.noneByKey}</Text> : null;
  const lines = byKey.map((line) => ({ ...line, title: keyName(line) }));
  const others = otherKeys === undefined ? [] : [{ ...otherKeys, title: t.otherKeys }];
  return <UsageTable title={t.key} lines={[...lines, ...others]} />;
}

interface ReasonsProps {
  readonly title: string;
  readonly about: string;
  readonly aside?: ReactNode;
  readonly usage: Query<AccountUsage>;
  readonly none: string;
  readonly reasons: readonly {
    readonly of: "failedByCaller" | "failedByService" | "refusedByRate" | "refusedByAllowance";
    readonly name: string;
    readonly about: string;
  }[];
}

/** Failed or refused calls by reason, with advice. */
function Reasons({ usage, none, reasons, ...section }: ReasonsProps) {
  const { number } = useLanguage().formats;
  return (
    <Section {...section}>
      <Loaded query={usage} height={90}>
        {(value) =>
          reasons.every(({ of }) => value[of] === 0) ? (
            <Text c="dimmed">{none}</Text>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
              {reasons.map(({ of, name, about }) => (
                <Stack key={name} gap={2}>
                  <Text fz={28} fw={680} lh={1.2}>
                    {number(value[of])}
                  </Text>
                  <Text fw={600}>{name}</Text>
                  <MutedText>{about}</MutedText>
                </Stack>
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
    </Section>
  );
}
