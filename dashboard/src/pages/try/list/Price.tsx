import { Stack, Text } from "@mantine/core";
import type { Plans } from "../../../../../src/contract/accountResources.ts";
import { bilingual } from "../../../language/bilingual.ts";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { texts } from "./texts.ts";

const words = bilingual(
  { one: "1 token", many: (count: string) => `${count} tokens` },
  { one: "1 token", many: (count) => `${count} tokens` },
);

/** What a company of a list costs, and what there is to spend. */
export interface Balance {
  readonly prices: { readonly basic: number; readonly everything: number };
  readonly remaining: number;
  /** When the month's tokens are replaced. */
  readonly renewedAt: string;
}

/** The prices of a list in the table of prices. */
export function pricesIn(prices: Plans["prices"]): Balance["prices"] {
  const of = (wanted: string) => prices.find(({ operation }) => operation === wanted)?.tokens ?? 1;
  return { basic: of("jobs.lookup"), everything: of("jobs.lookup.enriched") };
}

/** A number of tokens, in words. */
export function useTokens(): { readonly tokens: (count: number) => string } {
  const t = useTexts(words);
  const { number } = useLanguage().formats;
  return { tokens: (count) => (count === 1 ? t.one : t.many(number(count))) };
}

interface Props {
  readonly balance: Balance;
  /** Tokens for each number at most. */
  readonly price: number;
  readonly numbers: number;
}

/** The price of a list against the balance, and what happens when that runs out. */
export function Price({ balance: { remaining, renewedAt }, price, numbers }: Props) {
  const t = useTexts(texts).plan;
  const { number, day } = useLanguage().formats;
  const { tokens } = useTokens();
  const most = price * numbers;
  const covered = Math.floor(remaining / price);
  const left = tokens(remaining);
  const says =
    remaining >= most
      ? t.enough(left, number(remaining - most))
      : covered === 0
        ? t.none(left, day(renewedAt))
        : t.runsOut(left, covered === 1 ? t.oneNumber : t.manyNumbers(number(covered)));
  return (
    <Stack gap={4} data-testid="price">
      <Text fw={600}>{t.price(tokens(most))}</Text>
      <Text size="sm" {...(remaining >= most && { c: "dimmed" })}>
        {says}
      </Text>
    </Stack>
  );
}
