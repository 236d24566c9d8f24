import { Button, Group, NumberInput, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AccountUsage } from "../../../../../../src/contract/accountResources.ts";
import { priceOfNumber } from "../../../../../../src/contract/jobs.ts";
import { readUsage } from "../../../../api/account.ts";
import { Loaded } from "../../../../components/Loaded.tsx";
import { Notice } from "../../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { useQuery } from "../../../../queries/useQuery.ts";
import { useTokenMeter, useTokens } from "../../tokenMeter.tsx";
import { KINDS } from "../job/answers.ts";
import type { CompanyList } from "../job/companyList.ts";
import { hasColumns, type Source } from "../job/source.ts";
import { matchTexts } from "../matchTexts.ts";
import { texts } from "../texts.ts";

interface Props {
  readonly list: CompanyList;
  readonly source: Source;
}

const priceOf = (adds: keyof typeof KINDS) => priceOfNumber(KINDS[adds]);

/** Chooses what to add, shows the price, and starts the list. */
export function Begin({ list, source: { table, reading, items, previewed } }: Props) {
  const { plan: t, refused } = useTexts(texts);
  const tokens = useTokens();
  const { spent } = useTokenMeter();
  // A preview costs tokens.
  const usage = useQuery(readUsage, String(spent));
  const [isEverything, setEverything] = useState(false);
  const [kept, setKept] = useState(0);
  const { keys, numbers } = items;
  const adds = numbers === 0 ? "match" : isEverything ? "everything" : "basic";
  const rows = keys.length - numbers - (previewed?.answers.length ?? 0);
  const plan: Plan = { numbers, rows, price: priceOf(adds), kept };
  const another = (
    <Button variant="default" onClick={() => list.discard(false)}>
      {t.another}
    </Button>
  );
  if (keys.length === 0 || items.isTooLarge) {
    const nothing = table.sheets.length < 2 ? t.nothing : t.nothingOnSheet;
    return (
      <Stack gap="lg">
        {hasColumns(reading) ? (
          <Notice tone="warning">{items.isTooLarge ? refused.tooLarge : nothing}</Notice>
        ) : null}
        <Group>{another}</Group>
      </Stack>
    );
  }
  return (
    <Loaded of={usage} height={220}>
      {(balance) => (
        <Stack gap="lg">
          {numbers === 0 ? null : (
            <Radio.Group
              label={t.what}
              value={isEverything ? "everything" : "basic"}
              onChange={(chosen) => setEverything(chosen === "everything")}
            >
              <Stack gap="sm" mt="xs">
                <Radio value="basic" label={t.basic} description={t.each(tokens(priceOf("basic")))} />
                <Radio
                  value="everything"
                  label={t.everything}
                  description={t.each(tokens(priceOf("everything")))}
                />
              </Stack>
            </Radio.Group>
          )}
          <NumberInput
            label={t.kept}
            description={t.keptAbout}
            value={kept}
            onChange={(value) => setKept(Number(value))}
            min={0}
            max={balance.remaining}
            allowDecimal={false}
            maw="24rem"
          />
          <Price balance={balance} plan={plan} />
          <Group>
            <Button
              data-testid="start"
              disabled={coveredBy(balance, plan) === 0 || items.isPending === true}
              onClick={() => list.start(adds, capOf(balance, plan))}
            >
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

interface Plan {
  /** KVK numbers to look up, and rows to match. */
  readonly numbers: number;
  readonly rows: number;
  /** Maximum tokens per KVK number. */
  readonly price: number;
  /** Tokens that the list may not use. */
  readonly kept: number;
}

const ROW_PRICE = priceOf("match");
const totalOf = ({ numbers, rows, price }: Plan) => numbers * price + rows * ROW_PRICE;

/** The maximum cost of a list that would use tokens that are to be kept. */
function capOf({ remaining }: AccountUsage, plan: Plan): number | undefined {
  const usable = Math.max(0, remaining - plan.kept);
  return plan.kept > 0 && usable < totalOf(plan) ? usable : undefined;
}

/** How many numbers and rows the tokens suffice for. The numbers come first. */
function coveredBy({ remaining }: AccountUsage, plan: Plan): number {
  const usable = Math.max(0, remaining - plan.kept);
  const numbers = Math.min(plan.numbers, Math.floor(usable / plan.price));
  if (numbers < plan.numbers) return numbers;
  const rows = Math.floor((usable - numbers * plan.price) / ROW_PRICE);
  // Everything is in the preview already.
  return plan.numbers + plan.rows === 0 ? 1 : numbers + Math.min(plan.rows, rows);
}

/** The price of a list, and whether the remaining tokens suffice. */
function Price({ balance, plan }: { readonly balance: AccountUsage; readonly plan: Plan }) {
  const { plan: t } = useTexts(texts);
  const { rowsOf } = useTexts(matchTexts);
  const { number, day } = useLanguage().formats;
  const tokens = useTokens();
  const { remaining, period } = balance;
  const total = totalOf(plan);
  const covered = coveredBy(balance, plan);
  const isEnough = remaining - plan.kept >= total;
  const balanceText = isEnough
    ? t.enough(tokens(remaining - total))
    : covered === 0
      ? t.none(day(period.end))
      : t.runsOut(rowsOf(covered, number(covered))) + (plan.kept > 0 ? "" : ` ${t.usesAll(day(period.end))}`);
  return (
    <Stack gap={4} data-testid="price">
      <Text fw={600}>{t.uses(number(total), tokens(remaining), plan.numbers > 0)}</Text>
      <Text size="sm" c="dimmed">
        {[plan.numbers > 0 && t.priceOfNumbers, plan.rows > 0 && t.priceOfRows].filter(Boolean).join(" ")}
      </Text>
      <Text size="sm" {...(isEnough && { c: "dimmed" })}>
        {balanceText}
      </Text>
    </Stack>
  );
}
