import { Badge, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { AdminUpstreams } from "../../../../src/contract/operatorResources.ts";
import { readUpstreams } from "../../api/operator.ts";
import { HealthPart } from "../../components/HealthPart.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Quiet } from "../../components/Quiet.ts";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { texts } from "./texts.ts";

/** The code of a member state, as VIES names it. */
const STATE = /^[A-Z]{2}$/;

/** The health of the upstreams, and which of them are skipped. */
export function Upstreams() {
  const t = useTexts(texts);
  const upstreams = useQuery(readUpstreams);
  return (
    <Section title={t.upstreams}>
      <Loaded of={upstreams} height={260}>
        {({ registry, vies, breakers, paidCalls }) => (
          <Stack gap="xl">
            <HealthPart what="registry" state={registry} />
            <HealthPart what="vies" state={vies} />
            {paidCalls ? <PaidCalls {...paidCalls} /> : null}
            <Breakers breakers={breakers} />
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

type PaidCallsShown = NonNullable<AdminUpstreams["paidCalls"]>;

/** The paid calls to KVK of today and their limits. */
function PaidCalls({ made, most, left, renewsAt, madeByFree, maxByFree, isShared }: PaidCallsShown) {
  const { paidCalls: t } = useTexts(texts);
  const { number, moment } = useLanguage().formats;
  const all = { name: t.all, made, most };
  const rows = isShared ? [all, { name: t.free, made: madeByFree, most: maxByFree }] : [all];
  return (
    <Part title={t.title} about={isShared ? t.about : t.aboutNobodyElse} testId="paid-calls">
      <Text size="sm" data-testid="paid-calls-left">
        {t.left(number(left))} {t.renews(moment(renewsAt))}
      </Text>
      {rows.map((row) => (
        <Group key={row.name} justify="space-between">
          <Text>{row.name}</Text>
          <Group gap="sm">
            <Text size="sm">{t.of(number(row.made), number(row.most))}</Text>
            {row.made >= row.most ? <State isBad label={t.over} /> : null}
          </Group>
        </Group>
      ))}
    </Part>
  );
}

function Breakers({ breakers }: Pick<AdminUpstreams, "breakers">) {
  const t = useTexts(texts);
  const nameOf = (what: string) => {
    if (what === "address" || what === "vies" || what === "key" || what === "kvk") return t.breaker[what];
    return STATE.test(what) ? t.breaker.state(what) : t.breaker.product(what);
  };
  return (
    <Part title={t.breakers} about={t.breakersAbout}>
      {breakers.map(({ what, isOpen }) => (
        <Group key={what} justify="space-between">
          <Text>{nameOf(what)}</Text>
          <State isBad={isOpen} label={isOpen ? t.open : t.closed} />
        </Group>
      ))}
    </Part>
  );
}

function State({ isBad, label }: { readonly isBad: boolean; readonly label: string }) {
  return (
    <Badge color={isBad ? "yellow" : "sea"} className={isBad ? "badge ending" : "badge live"}>
      {label}
    </Badge>
  );
}

interface Props {
  readonly title: string;
  readonly about?: string;
  readonly testId?: string;
  readonly children: ReactNode;
}

/** A part of a section, with a heading. */
export function Part({ title, about, testId, children }: Props) {
  return (
    <Stack gap="sm" data-testid={testId}>
      <Stack gap={2}>
        <Title order={3}>{title}</Title>
        {about === undefined ? null : <Quiet maw="62ch">{about}</Quiet>}
      </Stack>
      {children}
    </Stack>
  );
}
