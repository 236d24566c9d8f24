import { Button, Group, Radio, Stack, Text } from "@mantine/core";
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
export function Begin({ list, source: { table, reading, items } }: Props) {
  const { plan: t, refused } = useTexts(texts);
  const { plan: match } = useTexts(matchTexts);
  const tokens = useTokens();
  const { spent } = useTokenMeter();
  // A preview costs tokens.
  const usage = useQuery(readUsage, String(spent));
  const [isEverything, setEverything] = useState(false);
  const isMatch = reading.kind === "match";
  const adds = isMatch ? "match" : isEverything ? "everything" : "basic";
  const price = priceOf(adds);
  const another = (
    <Button variant="default" onClick={() => list.discard(false)}>
      {t.another}
    </Button>
  );
  if (items.keys.length === 0 || items.isTooLarge) {
    const nothing = isMatch ? match.nothing : table.sheets.length < 2 ? t.nothing : t.nothingOnSheet;
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
          {isMatch ? null : (
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
          <Price balance={balance} price={price} count={items.keys.length} isMatch={isMatch} />
          <Group>
            <Button
              data-testid="start"
              disabled={balance.remaining < price || items.isPending === true}
              onClick={() => list.start(adds)}
            >
              {isMatch ? match.start : t.start}
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
  /** Maximum tokens per number or row. */
  readonly price: number;
  readonly count: number;
  readonly isMatch: boolean;
}

/** The price of a list, and whether the remaining tokens suffice. */
function Price({ balance: { remaining, period }, price, count, isMatch }: PriceProps) {
  const { plan: t, numbersOf } = useTexts(texts);
  const { plan: match, rowsOf } = useTexts(matchTexts);
  const { number, day } = useLanguage().formats;
  const tokens = useTokens();
  const total = price * count;
  const covered = Math.floor(remaining / price);
  const left = tokens(remaining);
  const balanceText =
    remaining >= total
      ? t.enough(left, number(remaining - total))
      : covered === 0
        ? t.none(left, day(period.end))
        : t.runsOut(left, (isMatch ? rowsOf : numbersOf)(covered, number(covered)));
  return (
    <Stack gap={4} data-testid="price">
      <Text fw={600}>{(isMatch ? match : t).price(tokens(total))}</Text>
      <Text size="sm" {...(remaining >= total && { c: "dimmed" })}>
        {balanceText}
      </Text>
    </Stack>
  );
}
