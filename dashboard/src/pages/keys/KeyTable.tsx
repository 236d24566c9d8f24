import { ActionIcon, Badge, Button, Code, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { AccountKey, AccountKeys } from "../../../../src/contract/keyResources.ts";
import { CardTable } from "../../components/CardTable.tsx";
import { Icon } from "../../components/Icon.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { Paged } from "../../queries/Paged.tsx";
import type { Query } from "../../queries/useQuery.ts";
import { lastDayOf } from "./keyFields.ts";
import { texts } from "./texts.ts";

const COLORS = { live: "sea", ending: "yellow", expired: "orange", revoked: "gray" } as const;

type OnAction = (what: "change" | "roll" | "revoke", key: AccountKey) => void;

interface Props {
  readonly keys: Query<AccountKeys>;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly title: string;
  readonly none: string;
  readonly aside?: ReactNode;
  /** Called with the chosen action on a key. Without it the list is read-only and shows the tokens of each key. */
  readonly onAction?: OnAction;
}

export function KeyList({ keys, page, onPage, title, none, aside, onAction }: Props) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const { value: known } = keys;
  return (
    <Section
      title={title}
      about={known === undefined ? "\u00a0" : t.count(number(known.live), number(known.maxLive))}
      aside={aside}
    >
      <Paged query={keys} height={220} label={t.pages} page={page} onPage={onPage} icon="key" none={none}>
        {(value) => <KeyTable keys={value.keys} onAction={onAction} />}
      </Paged>
    </Section>
  );
}

interface TableProps {
  readonly keys: readonly AccountKey[];
  readonly onAction: OnAction | undefined;
}

function KeyTable({ keys, onAction }: TableProps) {
  const { columns } = useTexts(texts);
  const { number, day } = useLanguage().formats;
  const actions = {
    title: columns.actions,
    cell: (key: AccountKey) => (onAction === undefined ? null : <Actions of={key} onAction={onAction} />),
    speaksForItself: true,
    hasHiddenTitle: true,
  };
  const tokens = { title: columns.tokens, cell: (key: AccountKey) => number(key.tokens), isNumber: true };
  return (
    <CardTable
      spacing="md"
      rows={keys}
      nameOf={({ id, name, state }) => ({ key: id, testId: `key-${name}`, state })}
      columns={[
        { title: columns.key, cell: (key) => <Name of={key} onAction={onAction} />, speaksForItself: true },
        { title: columns.state, cell: (key) => <KeyState of={key} /> },
        { title: columns.created, cell: (key) => day(key.createdAt) },
        { title: columns.lastUsed, cell: (key) => <LastUsed of={key} /> },
        { title: columns.requests, cell: (key) => number(key.requests), isNumber: true },
        onAction === undefined ? tokens : actions,
      ]}
    />
  );
}

interface KeyProps {
  readonly of: AccountKey;
}

function Name({ of: key, onAction }: KeyProps & Pick<TableProps, "onAction">) {
  const t = useTexts(texts);
  const { prefix, lastFour, kind, name } = key;
  return (
    <Stack gap={4}>
      <Group gap={4} wrap="nowrap" align="center">
        <Text fw={600} className="breaks">
          {name}
        </Text>
        {key.state === "revoked" || onAction === undefined ? null : (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`${t.change}: ${name}`}
            title={t.change}
            onClick={() => onAction("change", key)}
          >
            <Icon name="edit" size={16} />
          </ActionIcon>
        )}
      </Group>
      <Group gap={6}>
        <Code className="shown-key">
          {prefix}…{lastFour}
        </Code>
        <Badge size="sm" variant="default">
          {t.kinds[kind]}
        </Badge>
      </Group>
      <KeyBounds of={key} />
    </Stack>
  );
}

/** The limits of a key: expiry, addresses, websites and tokens; also a warning when a web page uses a secret key. */
function KeyBounds({ of: { state, expiresAt, addresses = [], browser, browserCall } }: KeyProps) {
  const t = useTexts(texts);
  const { day, number } = useLanguage().formats;
  const [address, ...addressesMore] = addresses;
  const [origin = "", ...originsMore] = browser?.origins ?? [];
  return (
    <>
      {expiresAt === undefined || state === "revoked" ? null : (
        <MutedText size="xs">
          {(state === "expired" ? t.expired : t.expires)(day(lastDayOf(expiresAt)))}
        </MutedText>
      )}
      {address === undefined ? null : (
        <MutedText size="xs" className="breaks" title={addresses.join(", ")}>
          {addressesMore.length === 0
            ? t.usedFrom(address)
            : t.usedFromMany(address, number(addressesMore.length))}
        </MutedText>
      )}
      {browser === undefined ? null : (
        <MutedText size="xs" className="breaks" title={browser.origins.join(", ")}>
          {originsMore.length === 0 ? t.usedOn(origin) : t.usedOnMany(origin, number(originsMore.length))}.{" "}
          {(browser.mayLookUp ? t.spendsWithLookups : t.spends)(number(browser.dailyTokens))}.
        </MutedText>
      )}
      {browserCall === undefined || state === "revoked" ? null : (
        <Text size="sm" className="breaks key-warning">
          {t.seenInBrowser(browserCall.origin === "null" ? t.noPage : browserCall.origin)}
        </Text>
      )}
    </>
  );
}

/** The last use of a key: to the minute, or the day if only that is known. */
function LastUsed({ of: { lastUsedAt, lastUsedOn } }: KeyProps) {
  const t = useTexts(texts);
  const { day, moment } = useLanguage().formats;
  if (lastUsedAt !== undefined) return moment(lastUsedAt);
  return lastUsedOn === undefined ? t.never : day(lastUsedOn);
}

/** Whether a key works, and until or since when. */
function KeyState({ of: { state, endsAt, revokedAt } }: KeyProps) {
  const t = useTexts(texts);
  const { moment } = useLanguage().formats;
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={COLORS[state]} className={`badge ${state}`}>
        {t.states[state]}
      </Badge>
      <MutedText size="xs">
        {state === "ending" && endsAt !== undefined ? t.until(moment(endsAt)) : null}
        {state === "revoked" && revokedAt !== undefined ? t.since(moment(revokedAt)) : null}
      </MutedText>
    </Stack>
  );
}

function Actions({ of: key, onAction }: KeyProps & { readonly onAction: OnAction }) {
  const t = useTexts(texts);
  if (key.state === "revoked") return null;
  const button = { size: "xs", variant: "default" } as const;
  return (
    <Group gap="xs" justify="flex-end">
      {key.state === "live" ? (
        <Button {...button} aria-label={`${t.roll}: ${key.name}`} onClick={() => onAction("roll", key)}>
          {t.roll}
        </Button>
      ) : null}
      <Button
        {...button}
        className="danger"
        aria-label={`${t.revoke}: ${key.name}`}
        onClick={() => onAction("revoke", key)}
      >
        {t.revoke}
      </Button>
    </Group>
  );
}
