import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AccountKey } from "../../../../../src/contract/keyResources.ts";
import { readKeysOf } from "../../../api/operator.ts";
import { CardTable } from "../../../components/CardTable.tsx";
import { Loaded } from "../../../components/Loaded.tsx";
import { Nothing } from "../../../components/Nothing.tsx";
import { Pages } from "../../../components/Pages.tsx";
import { Section } from "../../../components/Section.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { useQuery } from "../../../queries/useQuery.ts";
import { KeyBounds, KeyHint, KeyState, LastUsed } from "../../keys/KeyTable.tsx";
import { texts as keyTexts } from "../../keys/texts.ts";
import { texts } from "./texts.ts";

/** The keys of an account: how they are, and when each was used last. */
export function Keys({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const k = useTexts(keyTexts);
  const { number } = useLanguage().formats;
  const [page, setPage] = useState(1);
  const keys = useQuery(() => readKeysOf(id, page), String(page));
  const known = keys.now.state === "ready" ? keys.now.value : undefined;
  return (
    <Section
      title={t.keys}
      about={known === undefined ? "\u00a0" : k.count(number(known.live), number(known.mostLive))}
    >
      <Loaded of={keys} height={200}>
        {(value) =>
          value.total === 0 ? (
            <Nothing icon="key">{t.noKeys}</Nothing>
          ) : (
            <Stack gap="md">
              <KeyRows keys={value.keys} />
              <Pages
                label={k.pages}
                total={value.total}
                pageSize={value.pageSize}
                page={page}
                onChange={setPage}
              />
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}

function KeyRows({ keys }: { readonly keys: readonly AccountKey[] }) {
  const { columns } = useTexts(keyTexts);
  const { number, day } = useLanguage().formats;
  return (
    <CardTable
      rows={keys}
      nameOf={({ id, state }) => ({ key: id, testId: "account-key", state })}
      columns={[
        { title: columns.key, cell: (key) => <KeyName of={key} />, speaksForItself: true },
        { title: columns.state, cell: (key) => <KeyState of={key} /> },
        { title: columns.created, cell: (key) => day(key.createdAt) },
        { title: columns.lastUsed, cell: (key) => <LastUsed of={key} /> },
        { title: columns.requests, cell: (key) => number(key.requests), isNumber: true },
        { title: columns.tokens, cell: (key) => number(key.tokens), isNumber: true },
      ]}
    />
  );
}

function KeyName({ of: key }: { readonly of: AccountKey }) {
  return (
    <Stack gap={4}>
      <Text fw={600} size="sm" className="breaks">
        {key.name}
      </Text>
      <KeyHint of={key} />
      <KeyBounds of={key} />
    </Stack>
  );
}
