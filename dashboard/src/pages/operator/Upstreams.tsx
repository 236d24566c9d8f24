import { Badge, Group, Stack, Text, Title } from "@mantine/core";
import type { AdminUpstreams } from "../../../../src/contract/operatorResources.ts";
import { readUpstreams } from "../../api/operator.ts";
import { HealthPart } from "../../components/HealthPart.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { texts } from "./texts.ts";

/** How VIES names a member state. */
const STATE = /^[A-Z]{2}$/;

/** How the upstreams do, and which of them are left alone. */
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

/** What KVK may cost today, and which limit was hit. */
function PaidCalls({ made, most, left, renewsAt, madeByFree, mostByFree, isShared }: PaidCallsShown) {
  const t = useTexts(texts);
  const { number, moment } = useLanguage().formats;
  const rows = [
    { what: t.paidCalls.all, made, most, isOver: made >= most },
    ...(isShared
      ? [
          {
            what: t.paidCalls.free,
            made: madeByFree,
            most: mostByFree,
            isOver: madeByFree >= mostByFree,
          },
        ]
      : []),
  ];
  return (
    <Stack gap="sm" data-testid="paid-calls">
      <Stack gap={2}>
        <Title order={3}>{t.paidCalls.title}</Title>
        <Text size="sm" c="dimmed" maw="62ch">
          {isShared ? t.paidCalls.about : t.paidCalls.aboutNobodyElse}
        </Text>
      </Stack>
      <Text size="sm" data-testid="paid-calls-left">
        {t.paidCalls.left(number(left))} {t.paidCalls.renews(moment(renewsAt))}
      </Text>
      {rows.map(({ what, made, most, isOver }) => (
        <Group key={what} justify="space-between">
          <Text>{what}</Text>
          <Group gap="sm">
            <Text size="sm">{t.paidCalls.of(number(made), number(most))}</Text>
            {isOver ? (
              <Badge variant="light" tt="none" color="yellow" className="badge ending">
                {t.paidCalls.over}
              </Badge>
            ) : null}
          </Group>
        </Group>
      ))}
    </Stack>
  );
}

function Breakers({ breakers }: Pick<AdminUpstreams, "breakers">) {
  const t = useTexts(texts);
  const nameOf = (what: string) => {
    if (what === "address" || what === "vies" || what === "key" || what === "kvk") return t.breaker[what];
    return STATE.test(what) ? t.breaker.state(what) : t.breaker.product(what);
  };
  return (
    <Stack gap="sm">
      <Stack gap={2}>
        <Title order={3}>{t.breakers}</Title>
        <Text size="sm" c="dimmed" maw="62ch">
          {t.breakersAbout}
        </Text>
      </Stack>
      {breakers.map(({ what, isOpen }) => (
        <Group key={what} justify="space-between">
          <Text>{nameOf(what)}</Text>
          <Badge
            variant="light"
            tt="none"
            color={isOpen ? "yellow" : "sea"}
            className={isOpen ? "badge ending" : "badge live"}
          >
            {isOpen ? t.open : t.closed}
          </Badge>
        </Group>
      ))}
    </Stack>
  );
}
