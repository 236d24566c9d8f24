import { guides } from "virtual:guides";
import { NavLink, Text, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useMemo, useState } from "react";
import { Icon } from "../components/Icon.tsx";
import { MutedText } from "../components/MutedText.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { type DocsRoute, docsLink, isSameView } from "./address.ts";
import type { ApiDocument, Operation } from "./document/openapi.ts";
import { type Entry, entriesOf, find } from "./search.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly document: ApiDocument;
  readonly operations: readonly Operation[];
  readonly route: DocsRoute;
  /** Called when a link was followed. */
  readonly onFollow: () => void;
}

/** The contents of the documentation, replaced by results during a search. */
export function Sidebar({ document, operations, route, onFollow }: Props) {
  const t = useTexts(texts);
  const [typed, setTyped] = useState("");
  const entries = useMemo(() => entriesOf(document, operations, guides), [document, operations]);
  const found = useMemo(() => find(entries, typed), [entries, typed]);
  const follow = () => {
    setTyped("");
    onFollow();
  };
  const goToFirst = (event: FormEvent) => {
    event.preventDefault();
    const [first] = found;
    if (first === undefined) return;
    location.hash = first.href;
    follow();
  };
  return (
    <>
      <search>
        <form onSubmit={goToFirst}>
          <TextInput
            type="search"
            aria-label={t.searchFor}
            placeholder={t.search}
            leftSection={<Icon name="search" size={16} />}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") setTyped("");
            }}
          />
        </form>
      </search>
      {typed.trim() === "" ? (
        <Contents document={document} operations={operations} route={route} onFollow={follow} />
      ) : (
        <Found entries={found} onFollow={follow} />
      )}
    </>
  );
}

function Found({ entries, onFollow }: { readonly entries: readonly Entry[]; readonly onFollow: () => void }) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const count = entries.length === 1 ? t.foundOne : t.found(number(entries.length));
  return (
    <div data-testid="found">
      <MutedText role="status" px={4}>
        {entries.length === 0 ? t.foundNone : count}
      </MutedText>
      <ul className="found">
        {entries.map(({ title, within, href }) => (
          <li key={`${href} ${title}`}>
            <NavLink
              href={href}
              label={title}
              description={within === "" ? undefined : within}
              className="link"
              onClick={onFollow}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Contents({ document, operations, route, onFollow }: Props) {
  const t = useTexts(texts);
  const tags: Readonly<Record<string, string>> = t.tags;
  const link = (to: DocsRoute, label: string, lang?: string) => (
    <li key={label} lang={lang}>
      <NavLink
        href={docsLink(to)}
        label={label}
        active={isSameView(to, route)}
        aria-current={isSameView(to, route) ? "page" : undefined}
        className="link"
        onClick={onFollow}
      />
    </li>
  );
  return (
    <nav aria-label={t.contents}>
      <ul>{link({ kind: "overview" }, t.overview)}</ul>
      <Group title={t.guides}>
        {guides.map(({ name, title }) => link({ kind: "guides", name }, title, "en"))}
      </Group>
      {document.tags.map(({ name }) => (
        <Group key={name} title={tags[name] ?? name}>
          {operations
            .filter(({ tag }) => tag === name)
            .map(({ id, summary }) => link({ kind: "calls", name: id }, summary, "en"))}
        </Group>
      ))}
      <Group title={t.objects}>
        {Object.keys(document.components.schemas).map((name) => link({ kind: "objects", name }, name))}
      </Group>
    </nav>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Text size="xs" fw={650} c="dimmed" mt={18} mb={4} ml="sm">
        {title}
      </Text>
      <ul>{children}</ul>
    </section>
  );
}
