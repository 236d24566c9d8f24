import { Stack, Tabs } from "@mantine/core";
import { readMonitorSettings } from "../../api/monitors.ts";
import { NoRegistry } from "../../components/NoRegistry.tsx";
import { Notice } from "../../components/Notice.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { TabRow } from "../../components/TabRow.tsx";
import { useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { usePart, useSubject } from "../../router/router.ts";
import { usePerson } from "../../session/session.tsx";
import { useUnreadBadge } from "../../session/unreadEvents.tsx";
import { Companies } from "./Companies.tsx";
import { Costs } from "./Costs.tsx";
import { Events } from "./Events.tsx";
import { useCoverage } from "./Sources.tsx";
import { texts } from "./texts.ts";
import { Webhooks } from "./Webhooks.tsx";

const TABS = ["companies", "events", "webhooks", "costs"] as const;

/** Monitored companies, their changes, the webhooks that hear of them, and what they cost. */
export function MonitorsPage() {
  const t = useTexts(texts);
  const [tab, setTab] = usePart("monitors", TABS);
  const kvkNumber = useSubject() ?? "";
  const badge = useUnreadBadge();
  const { isSuspended } = usePerson();
  const settings = useQuery(readMonitorSettings);
  const { reported, missing } = useCoverage(settings.value);
  return (
    <>
      <PageTitle title={t.title} about={t.about(reported, missing)} />
      <NoRegistry />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <TabRow label={t.what}>
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name} rightSection={name === "events" ? badge : undefined}>
              {t.tabs[name]}
            </Tabs.Tab>
          ))}
        </TabRow>
        <Tabs.Panel value={tab}>
          <Stack gap="xl">
            {isSuspended ? <Notice tone="info">{t.suspended}</Notice> : null}
            {tab === "companies" && !isSuspended ? <Companies settings={settings} /> : null}
            {tab === "events" ? <Events key={kvkNumber} kvkNumber={kvkNumber} settings={settings} /> : null}
            {tab === "webhooks" ? <Webhooks /> : null}
            {tab === "costs" && !isSuspended ? <Costs settings={settings} /> : null}
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
