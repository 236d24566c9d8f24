import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { PRICES } from "../../../../../src/contract/prices.ts";
import type { SearchItem } from "../../../../../src/contract/resources.ts";
import { MAX_COUNTED, MAX_ROWS } from "../../../../../src/contract/totals.ts";
import type { SearchPage } from "../../../api/publicApi.ts";
import { CardTable } from "../../../components/CardTable.tsx";
import { FocusedTitle } from "../../../components/FocusedResult.tsx";
import { Pages } from "../../../components/Pages.tsx";
import { Searched } from "../../../components/Searched.tsx";
import { hintText } from "../../../language/hints.ts";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { legalForms } from "../../../language/legalForms.ts";
import { sourceName } from "../../../language/sources.ts";
import { useTokens } from "../tokenMeter.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly found: SearchPage;
  readonly isBusy: boolean;
  readonly onPage: (page: number) => void;
  readonly onOpen: (item: SearchItem) => void;
}

export function Hits({ found, isBusy, onPage, onOpen }: Props) {
  const t = useTexts(texts);
  const { language, formats } = useLanguage();
  const { number } = formats;
  const tokens = useTokens();
  const { results, total, page, pageSize } = found;
  const reached = Math.min(total, MAX_ROWS);
  const pages = Math.max(1, Math.ceil(reached / pageSize));
  if (total === 0) {
    return (
      <Stack gap="xs" data-testid="hits" data-total={0}>
        <FocusedTitle>{t.none}</FocusedTitle>
        <Text>{found.hint === undefined ? t.noneAbout : hintText(found.hint, language)}</Text>
        <Searched />
      </Stack>
    );
  }
  return (
    <Stack gap="md" data-testid="hits" data-total={total} data-page={page} aria-busy={isBusy}>
      <Stack gap={4}>
        <FocusedTitle>{totalText(found, t, number)}</FocusedTitle>
        <Text size="sm" c="dimmed" maw="62ch">
          {[
            pages === 1 ? undefined : t.onPage(number(page), number(pages)),
            pages === 1 ? undefined : t.pagePrice(tokens(PRICES.search)),
            t.lookUpPrice(tokens(PRICES.lookup)),
            total > MAX_ROWS ? t.reach(number(MAX_ROWS)) : undefined,
          ]
            .filter((part) => part !== undefined)
            .join(" ")}
        </Text>
      </Stack>
      {results.length === 0 ? <Text>{t.noneLeft}</Text> : <HitTable results={results} onOpen={onOpen} />}
      <Pages label={t.pages} total={reached} pageSize={pageSize} page={page} onChange={onPage} />
    </Stack>
  );
}

/** The total, or its lower bound. */
function totalText(
  { total, totalIsExact }: SearchPage,
  t: (typeof texts)["en"],
  number: (value: number) => string,
): string {
  if (totalIsExact === false)
    return total >= MAX_COUNTED ? t.moreThan(number(total)) : t.atLeast(number(total));
  return total === 1 ? t.one : t.many(number(total));
}

function HitTable({ results, onOpen }: Pick<SearchPage, "results"> & Pick<Props, "onOpen">) {
  const t = useTexts(texts);
  const forms = useTexts(legalForms);
  const { language } = useLanguage();
  const hasOrigin = results.some(({ origin }) => origin !== undefined);
  return (
    <CardTable
      rows={results}
      nameOf={({ kvkNumber }) => ({ key: kvkNumber, testId: "hit" })}
      columns={[
        { title: t.name, speaksForItself: true, cell: (hit) => <Name of={hit} /> },
        { title: t.kvkNumber, cell: ({ kvkNumber }) => kvkNumber },
        {
          title: t.city,
          cell: ({ postalCode, city }) => [postalCode, city].filter(Boolean).join(" ") || undefined,
        },
        { title: t.legalForm, cell: ({ legalForm }) => legalForm && forms[legalForm] },
        { title: t.status, cell: ({ isActive }) => <Status isActive={isActive} /> },
        ...(hasOrigin
          ? [
              {
                title: t.origin,
                cell: ({ origin }: SearchItem) => origin && sourceName(origin, language),
              },
            ]
          : []),
        {
          title: t.lookUp,
          hasHiddenTitle: true,
          speaksForItself: true,
          cell: (hit) => (
            <Group justify="flex-end">
              <Button
                size="xs"
                variant="default"
                aria-label={t.lookUpNamed(hit.name)}
                onClick={() => onOpen(hit)}
              >
                {t.lookUp}
              </Button>
            </Group>
          ),
        },
      ]}
    />
  );
}

function Name({ of: { name, isFuzzy } }: { readonly of: SearchItem }) {
  const t = useTexts(texts);
  return (
    <Stack gap={0}>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      {isFuzzy ? (
        <Text size="xs" c="dimmed">
          {t.fuzzy}
        </Text>
      ) : null}
    </Stack>
  );
}

function Status({ isActive }: { readonly isActive: boolean }) {
  const { statuses } = useTexts(texts);
  return (
    <Badge
      variant="light"
      tt="none"
      color={isActive ? "sea" : "gray"}
      className={isActive ? "badge live" : "badge revoked"}
    >
      {isActive ? statuses.true : statuses.false}
    </Badge>
  );
}
