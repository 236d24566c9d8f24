import { Anchor, Button, Stack, Text } from "@mantine/core";
import type { AccountUsage } from "../../../../src/contract/accountResources.ts";
import { readMonths, readUsage, usageCsv } from "../../api/account.ts";
import { Allowance } from "../../components/Allowance.tsx";
import { Figures } from "../../components/Figures.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Nothing } from "../../components/Nothing.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { linkTo } from "../../router/router.ts";
import { DayChart } from "./DayChart.tsx";
import { Months } from "./Months.tsx";
import { Range } from "./Range.tsx";
import { Reasons } from "./Reasons.tsx";
import { texts } from "./texts.ts";
import { useFigureCells } from "./useFigureCells.ts";

/** What was used: this month by day, operation and key, what failed and what was refused, and the year. */
export function UsagePage() {
  const t = useTexts(texts);
  const usage = useQuery(readUsage);
  const months = useQuery(readMonths);
  const month = usage.now.state === "ready" ? usage.now.value.period.start.slice(0, 7) : undefined;
  return (
    <>
      <PageTitle title={t.title} about={t.about} />
      <Section title={t.month}>
        <Loaded of={usage} height={108}>
          {(value) => (
            <Stack gap="sm">
              <Allowance usage={value} />
              <Sessions usage={value} />
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
              component="a"
              href={usageCsv(month)}
              download
              variant="default"
              size="xs"
              leftSection={<Icon name="download" size={16} />}
            >
              {t.download}
            </Button>
          )
        }
      >
        <Loaded of={usage} height={360}>
          {(value) =>
            value.byDay.length === 0 ? (
              <Nothing icon="chart">
                {value.test === undefined ? t.none : t.noneButTests}{" "}
                <Anchor href={linkTo("try")}>{t.try}</Anchor>
              </Nothing>
            ) : (
              <DayChart usage={value} />
            )
          }
        </Loaded>
      </Section>
      <Section title={t.byKey}>
        <Loaded of={usage} height={120}>
          {(value) => (
            <>
              <ByKey usage={value} />
              <Tested usage={value} />
            </>
          )}
        </Loaded>
      </Section>
      <Section
        title={t.failures}
        about={t.failuresAbout}
        aside={<Anchor href={linkTo("calls")}>{t.toCalls}</Anchor>}
      >
        <Loaded of={usage} height={90}>
          {(value) => (
            <Reasons
              none={t.noneFailed}
              reasons={[
                { count: value.failedByCaller, name: t.byCaller, about: t.byCallerAbout },
                { count: value.failedByService, name: t.byService, about: t.byServiceAbout },
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Section title={t.refusals} about={t.refusalsAbout}>
        <Loaded of={usage} height={90}>
          {(value) => (
            <Reasons
              none={t.noneRefused}
              reasons={[
                { count: value.refusedByRate, name: t.byRate, about: t.byRateAbout },
                { count: value.refusedByAllowance, name: t.byAllowance, about: t.byAllowanceAbout },
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Section title={t.months}>
        <Loaded of={months} height={320}>
          {(value) => <Months months={value.months} />}
        </Loaded>
      </Section>
      {usage.now.state === "ready" ? <Range usage={usage.now.value} /> : null}
    </>
  );
}

/** What sessions of typing saved; nothing where there were none. */
function Sessions({ usage: { sessions, sessionCalls } }: { readonly usage: AccountUsage }) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  if (sessionCalls === 0) return null;
  return (
    <Text size="sm" c="dimmed" data-testid="sessions">
      {t.sessions(number(sessions), number(sessionCalls))}
    </Text>
  );
}

/** What test keys did, which is in none of the other figures; nothing where they did nothing. */
function Tested({ usage: { test, limit } }: { readonly usage: AccountUsage }) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  if (test === undefined) return null;
  return (
    <Text size="sm" c="dimmed" data-testid="tested">
      {t.tested(number(test.requests), number(test.tokens), number(limit))}
    </Text>
  );
}

function ByKey({ usage: { byKey, otherKeys, test } }: { readonly usage: AccountUsage }) {
  const t = useTexts(texts);
  const cells = useFigureCells();
  // What test keys did is told below it.
  if (byKey.length === 0) return test === undefined ? <Text c="dimmed">{t.noneByKey}</Text> : null;
  const lines = byKey.map((line) => ({
    ...line,
    name: line.isPage
      ? t.thisPage
      : line.name === undefined
        ? t.deletedKeys
        : `${line.name} (…${line.lastFour})`,
  }));
  const others = otherKeys === undefined ? [] : [{ ...otherKeys, name: t.otherKeys }];
  return (
    <Figures
      head={[t.key, ...cells.head]}
      figures={4}
      rows={[...lines, ...others].map((line) => [line.name, ...cells.of(line)])}
    />
  );
}
