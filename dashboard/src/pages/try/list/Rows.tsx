import { Group, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { CardTable } from "../../../components/CardTable.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { Pages } from "../../../components/Pages.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import type { ListClient } from "./listClient.ts";
import type { ShownRow } from "./protocol.ts";
import { resultTexts } from "./resultTexts.ts";
import { texts } from "./texts.ts";

const PAGE_SIZE = 25;
const CARDS_AT_ONCE = 10;

const LOOKS = {
  found: { icon: "check", className: "verdict valid" },
  notFound: { icon: "warning", className: "verdict invalid" },
  noAnswer: { icon: "info", className: "verdict unknown" },
  notANumber: { icon: "warning", className: "verdict invalid" },
  empty: { icon: "info", className: "verdict unknown" },
  waiting: { icon: "pulse", className: "verdict unknown" },
} as const;

interface Props {
  readonly client: ListClient;
  readonly total: number;
}

/** The rows of the list with their results, page by page. */
export function Rows({ client, total }: Props) {
  const { rows: t } = useTexts(texts);
  const { language, formats } = useLanguage();
  const [page, setPage] = useState(1);
  const [shown, setShown] = useState<readonly ShownRow[]>([]);
  useEffect(() => {
    let isStale = false;
    const load = () => {
      client.ask("rows", { from: (page - 1) * PAGE_SIZE, to: page * PAGE_SIZE, language }).then(
        (rows) => {
          if (!isStale) setShown(rows);
        },
        () => undefined,
      );
    };
    load();
    const stop = client.subscribe(load);
    return () => {
      isStale = true;
      stop();
    };
  }, [client, page, language]);
  return (
    <Stack component="section" gap="md" aria-label={t.label}>
      <CardTable
        rows={shown}
        cardsAtOnce={CARDS_AT_ONCE}
        nameOf={({ index, outcome }) => ({ key: String(index), testId: "row", state: outcome })}
        columns={[
          { title: t.row, cell: ({ index }) => formats.number(index + 1) },
          { title: t.number, cell: ({ number, text }) => number ?? text },
          { title: t.name, cell: ({ name }) => name },
          { title: t.city, cell: ({ city }) => city },
          { title: t.outcome, cell: (row) => <Outcome of={row} /> },
        ]}
      />
      <Pages label={t.pages} total={total} pageSize={PAGE_SIZE} page={page} onChange={setPage} />
    </Stack>
  );
}

function Outcome({ of: { outcome, isActive, why } }: { readonly of: ShownRow }) {
  const { rows: t } = useTexts(texts);
  const { outcomes } = useTexts(resultTexts);
  const { icon, className } = LOOKS[outcome];
  return (
    <Stack gap={2}>
      <Group gap={6} wrap="nowrap" className={className}>
        <Icon name={icon} size={16} />
        {outcome === "found" && isActive === false ? t.ended : outcomes[outcome]}
      </Group>
      {why === "" || outcome === "waiting" ? null : (
        <Text size="xs" c="dimmed" maw="44ch">
          {why}
        </Text>
      )}
    </Stack>
  );
}
