import { ActionIcon, Badge, Button, Code, Group, Stack, Text } from "@mantine/core";
import type { AccountKey } from "../../../../src/contract/keyResources.ts";
import { CardTable } from "../../components/CardTable.tsx";
import { Icon } from "../../components/Icon.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { boundTexts } from "./boundTexts.ts";
import { browserTexts } from "./browserTexts.ts";
import { lastDayOf } from "./keyFields.ts";
import { texts } from "./texts.ts";

interface Doing {
  readonly onChange: (key: AccountKey) => void;
  readonly onRoll: (key: AccountKey) => void;
  readonly onRevoke: (key: AccountKey) => void;
}

const COLORS = { live: "sea", ending: "yellow", expired: "orange", revoked: "gray" } as const;

/** The keys of an account, with what can be done with each. */
export function KeyTable({ keys, ...doing }: Doing & { readonly keys: readonly AccountKey[] }) {
  const t = useTexts(texts);
  const { number, day } = useLanguage().formats;
  const { columns } = t;
  return (
    <CardTable
      spacing="md"
      rows={keys}
      nameOf={({ id, name, state }) => ({ key: id, testId: `key-${name}`, state })}
      columns={[
        { title: columns.key, cell: (key) => <Name of={key} {...doing} />, speaksForItself: true },
        { title: columns.state, cell: (key) => <KeyState of={key} /> },
        { title: columns.created, cell: (key) => day(key.createdAt) },
        {
          title: columns.lastUsed,
          cell: (key) => <LastUsed of={key} />,
        },
        { title: columns.requests, cell: (key) => number(key.requests), isNumber: true },
        {
          title: columns.actions,
          cell: (key) => <Actions of={key} {...doing} />,
          speaksForItself: true,
          hasHiddenTitle: true,
        },
      ]}
    />
  );
}

function Name({ of: key, onChange }: Pick<Doing, "onChange"> & { readonly of: AccountKey }) {
  const t = useTexts(boundTexts);
  const { name } = key;
  return (
    <Stack gap={4}>
      <Group gap={4} wrap="nowrap" align="center">
        <Text fw={600} className="breaks">
          {name}
        </Text>
        {key.state === "revoked" ? null : (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`${t.change}: ${name}`}
            title={t.change}
            onClick={() => onChange(key)}
          >
            <Icon name="edit" size={16} />
          </ActionIcon>
        )}
      </Group>
      <KeyHint of={key} />
      <KeyBounds of={key} />
    </Stack>
  );
}

/** What a person may see of a key itself, and its kind. */
export function KeyHint({ of: { prefix, lastFour, kind } }: { readonly of: AccountKey }) {
  const { kinds } = useTexts(texts);
  return (
    <Group gap={6}>
      <Code className="shown-key">
        {prefix}…{lastFour}
      </Code>
      <Badge size="sm" variant="default" tt="none">
        {kinds[kind]}
      </Badge>
    </Group>
  );
}

/** Until when a key works and from where, if that is bounded. */
export function KeyBounds({ of: key }: { readonly of: AccountKey }) {
  const { state, expiresAt, addresses = [] } = key;
  const t = useTexts(boundTexts);
  const { day, number } = useLanguage().formats;
  const [first, ...more] = addresses;
  return (
    <>
      {expiresAt === undefined || state === "revoked" ? null : (
        <Text size="xs" c="dimmed">
          {(state === "expired" ? t.expired : t.expires)(day(lastDayOf(expiresAt)))}
        </Text>
      )}
      {first === undefined ? null : (
        <Text size="xs" c="dimmed" className="breaks" title={addresses.join(", ")}>
          {more.length === 0 ? t.only(first) : t.onlyMany(first, number(more.length))}
        </Text>
      )}
      <BrowserBounds of={key} />
    </>
  );
}

/** What a key for browsers may do; of another one, that a page uses it all the same. */
function BrowserBounds({ of: { browser, browserCall, state } }: { readonly of: AccountKey }) {
  const t = useTexts(browserTexts);
  const { number } = useLanguage().formats;
  const [first = "", ...more] = browser?.origins ?? [];
  return (
    <>
      {browser === undefined ? null : (
        <Text size="xs" c="dimmed" className="breaks" title={browser.origins.join(", ")}>
          {more.length === 0 ? t.on(first) : t.onMany(first, number(more.length))}.{" "}
          {(browser.mayLookUp ? t.capWithLookups : t.cap)(number(browser.dailyTokens))}.
        </Text>
      )}
      {browserCall === undefined || state === "revoked" ? null : (
        <Text size="sm" className="breaks key-warning">
          {t.seen(browserCall.origin === "null" ? t.noPage : browserCall.origin)}
        </Text>
      )}
    </>
  );
}

/** When a key was used last: to the minute, or the day where only that is known. */
export function LastUsed({ of: { lastUsedAt, lastUsedOn } }: { readonly of: AccountKey }) {
  const t = useTexts(texts);
  const { day, moment } = useLanguage().formats;
  if (lastUsedAt !== undefined) return moment(lastUsedAt);
  return lastUsedOn === undefined ? t.never : day(lastUsedOn);
}

/** Whether a key works, and until or since when. */
export function KeyState({ of: { state, endsAt, revokedAt } }: { readonly of: AccountKey }) {
  const t = useTexts(texts);
  const { moment } = useLanguage().formats;
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={COLORS[state]} variant="light" tt="none" className={`badge ${state}`}>
        {t.states[state]}
      </Badge>
      <Text size="xs" c="dimmed">
        {state === "ending" && endsAt !== undefined ? t.until(moment(endsAt)) : null}
        {state === "revoked" && revokedAt !== undefined ? t.since(moment(revokedAt)) : null}
      </Text>
    </Stack>
  );
}

function Actions({ of: key, onRoll, onRevoke }: Doing & { readonly of: AccountKey }) {
  const t = useTexts(texts);
  if (key.state === "revoked") return null;
  return (
    <Group gap="xs" justify="flex-end">
      {key.state === "live" ? (
        <Button size="xs" variant="default" aria-label={`${t.roll}: ${key.name}`} onClick={() => onRoll(key)}>
          {t.roll}
        </Button>
      ) : null}
      <Button
        size="xs"
        variant="default"
        className="danger"
        aria-label={`${t.revoke}: ${key.name}`}
        onClick={() => onRevoke(key)}
      >
        {t.revoke}
      </Button>
    </Group>
  );
}
