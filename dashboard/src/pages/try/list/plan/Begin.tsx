import { Button, Group, NumberInput, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AccountUsage } from "../../../../../../src/contract/accountResources.ts";
import { priceOfItem } from "../../../../../../src/contract/jobs.ts";
import { readUsage } from "../../../../api/account.ts";
import { Loaded } from "../../../../components/Loaded.tsx";
import { Notice } from "../../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { useQuery } from "../../../../queries/useQuery.ts";
import { useSession } from "../../../../session/session.tsx";
import { useTokenMeter, useTokens } from "../../tokenMeter.tsx";
import { type Added, CHOICES, type Chosen, choiceTexts, kindThatAdds } from "../job/added.ts";
import type { CompanyList } from "../job/companyList.ts";
import { hasColumns, type Source } from "../job/source.ts";
import { texts } from "../texts.ts";

interface Props {
  readonly list: CompanyList;
  readonly source: Source;
  /** Whether rows of the list are being matched for a preview. */
  readonly isBusy: boolean;
}

const priceOf = (adds: Added) => priceOfItem(kindThatAdds(adds));

/** Chooses what to add, shows the price, and starts the list. */
export function Begin({ list, source: { table, reading, items, previewed }, isBusy }: Props) {
  const { plan: t, refused } = useTexts(texts);
  const choices = useTexts(choiceTexts);
  const tokens = useTokens();
  const { spent } = useTokenMeter();
  // A preview costs tokens.
  const usage = useQuery(readUsage, String(spent));
  const [chosen, choose] = useState<Chosen>("basic");
  const hasCourt = useSession().value?.hasCourt === true;
  const hasPeppol = useSession().value?.hasPeppol === true;
  const isOffered = { basic: true, everything: true, insolvency: hasCourt, peppol: hasPeppol };
  const [keptText, setKeptText] = useState<string | number>(0);
  const kept = Number(keptText);
  const { keys, numbers } = items;
  const adds = numbers === 0 ? "match" : chosen;
  const rows = keys.length - numbers - (previewed?.answers.length ?? 0);
  const plan: Plan = { adds, numbers: numbers * priceOf(adds), rows: rows * priceOf("match"), kept };
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
    <Loaded query={usage} height={220}>
      {(balance) => (
        <Stack gap="lg">
          {numbers === 0 ? null : (
            <Radio.Group label={t.what} value={chosen} onChange={choose}>
              <Stack gap="sm" mt="xs">
                {CHOICES.filter((one) => isOffered[one]).map((one) => (
                  <Radio
                    key={one}
                    value={one}
                    label={choices[one]}
                    description={(one === "peppol" ? t.eachAnswer : t.each)(tokens(priceOf(one)))}
                  />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <NumberInput
            label={t.kept}
            description={t.keptAbout}
            value={keptText}
            onChange={setKeptText}
            min={0}
            max={balance.remaining}
            allowDecimal={false}
            allowNegative={false}
            maw="24rem"
          />
          <Price balance={balance} plan={plan} />
          <Group>
            <Button
              data-testid="start"
              disabled={
                capOf(balance, plan) === 0 || balance.remaining === 0 || items.isPending === true || isBusy
              }
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
  readonly adds: Added;
  /** Maximum tokens for the KVK numbers, and for the rows to match. */
  readonly numbers: number;
  readonly rows: number;
  /** Tokens that the list may not use. */
  readonly kept: number;
}

/** The tokens that a list may use, if they do not suffice and some are to be kept. */
function capOf({ remaining }: AccountUsage, { numbers, rows, kept }: Plan): number | undefined {
  return kept > 0 && remaining - kept < numbers + rows ? Math.max(0, remaining - kept) : undefined;
}

/** The price of a list, and whether the remaining tokens suffice. */
function Price({ balance, plan }: { readonly balance: AccountUsage; readonly plan: Plan }) {
  const { plan: t } = useTexts(texts);
  const { number, day } = useLanguage().formats;
  const tokens = useTokens();
  const { remaining, period } = balance;
  const { adds, numbers, rows, kept } = plan;
  const priceOfNumbers = adds === "peppol" ? t.priceOfPeppol : t.priceOfNumbers;
  const total = numbers + rows;
  const usable = Math.max(0, remaining - kept);
  const isEnough = usable >= total;
  const pauses = t.pauses(number(total));
  const shortText = kept > 0 ? pauses : `${pauses} ${t.usesAll(day(period.end))}`;
  return (
    <Stack gap={4} data-testid="price">
      <Text fw={600}>{t.uses(number(Math.min(total, usable)), tokens(remaining), numbers > 0)}</Text>
      <Text size="sm" c="dimmed">
        {[numbers > 0 && priceOfNumbers, rows > 0 && t.priceOfRows].filter(Boolean).join(" ")}
      </Text>
      <Text size="sm" {...(isEnough && { c: "dimmed" })}>
        {isEnough ? t.enough(tokens(remaining - total)) : shortText}
      </Text>
    </Stack>
  );
}
