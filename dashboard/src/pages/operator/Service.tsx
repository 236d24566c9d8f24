import { Badge, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { AdminRegistry, AdminUpstreams } from "../../../../src/contract/operatorResources.ts";
import { readRegistry, readUpstreams } from "../../api/operator.ts";
import { Facts } from "../../components/Facts.tsx";
import { Figures } from "../../components/Figures.tsx";
import { HealthPart } from "../../components/HealthPart.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { texts } from "./texts.ts";

/** A member state's code in VIES. */
const STATE = /^[A-Z]{2}$/;

/** The health of the upstreams, paid calls, and open circuit breakers. */
export function Upstreams() {
  const t = useTexts(texts);
  const upstreams = useQuery(readUpstreams);
  return (
    <Section title={t.upstreams}>
      <Loaded query={upstreams} height={260}>
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

function Part({ title, about, testId, children }: Props) {
  return (
    <Stack gap="sm" data-testid={testId}>
      <Stack gap={2}>
        <Title order={3}>{title}</Title>
        {about === undefined ? null : <MutedText maw="62ch">{about}</MutedText>}
      </Stack>
      {children}
    </Stack>
  );
}

export function Registry() {
  const t = useTexts(texts);
  const registry = useQuery(readRegistry);
  return (
    <Section title={t.registry} about={t.registryAbout}>
      <Loaded query={registry} height={260}>
        {({ snapshot, previous }) =>
          snapshot === undefined ? (
            <Stack gap="sm">
              <Text>{t.noSnapshot}</Text>
              <pre className="code" data-wrapped>
                opzoek import FORMAT FILE
              </pre>
            </Stack>
          ) : (
            <Snapshot snapshot={snapshot} previous={previous} />
          )
        }
      </Loaded>
    </Section>
  );
}

interface SnapshotProps {
  readonly snapshot: NonNullable<AdminRegistry["snapshot"]>;
  readonly previous: AdminRegistry["previous"];
}

function Snapshot({ snapshot, previous }: SnapshotProps) {
  const t = useTexts(texts);
  const { number, moment, duration, day } = useLanguage().formats;
  const { file, builtAt, ageSeconds, companies, branches, bytes, origins, layers } = snapshot;
  // All ages use the service's clock, like the age of the file.
  const nowMs = Date.parse(builtAt) + ageSeconds * 1_000;
  const ageOf = (at: string) => duration(Math.max(0, (nowMs - Date.parse(at)) / 1_000));
  const megabytes = (of: number) => t.megabytes(number(Math.round(of / 100_000) / 10));
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [t.facts.companies, number(companies)],
          [t.facts.branches, number(branches)],
          [t.facts.built, moment(builtAt)],
          [t.facts.age, duration(ageSeconds)],
          [t.facts.size, megabytes(bytes)],
          [t.facts.file, file],
          [t.facts.previous, previous && `${previous.file}, ${moment(previous.builtAt)}`],
        ]}
      />
      <Part title={t.origins}>
        <Figures
          head={[t.origin, t.asOf, t.facts.companies]}
          figures={1}
          rows={origins.map((line) => [
            line.origin,
            t.withAge(day(line.asOf), ageOf(line.asOf)),
            number(line.companies),
          ])}
        />
      </Part>
      <Part title={t.layers} about={t.layersAbout}>
        <Figures
          head={[t.facts.file, t.kind, t.facts.built, t.facts.companies, t.facts.size]}
          figures={2}
          rows={layers.map((layer) => [
            layer.file,
            t.kinds[layer.kind],
            t.withAge(moment(layer.builtAt), ageOf(layer.builtAt)),
            number(layer.companies),
            megabytes(layer.bytes),
          ])}
        />
      </Part>
    </Stack>
  );
}
