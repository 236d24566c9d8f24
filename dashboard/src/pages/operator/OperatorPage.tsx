import { Stack, Tabs } from "@mantine/core";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useTexts } from "../../language/language.tsx";
import { usePart } from "../../router/router.ts";
import { Accounts } from "./Accounts.tsx";
import { PlanRequests } from "./PlanRequests.tsx";
import { Registry } from "./Registry.tsx";
import { Suspensions } from "./Suspensions.tsx";
import { Traffic } from "./Traffic.tsx";
import { texts } from "./texts.ts";
import { Upstreams } from "./Upstreams.tsx";

const TABS = ["accounts", "requests", "traffic", "service"] as const;

/** What whoever runs the service sees. */
export function OperatorPage() {
  const t = useTexts(texts);
  const [tab, setTab] = usePart("operator", TABS);
  return (
    <>
      <PageTitle title={t.title} about={t.about} />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="xl" aria-label={t.what}>
          <Tabs.Tab value="accounts">{t.tabs.accounts}</Tabs.Tab>
          <Tabs.Tab value="requests">{t.tabs.requests}</Tabs.Tab>
          <Tabs.Tab value="traffic">{t.tabs.traffic}</Tabs.Tab>
          <Tabs.Tab value="service">{t.tabs.service}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="accounts">
          <Stack gap="xl">
            <Accounts />
            <Suspensions />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <PlanRequests />
        </Tabs.Panel>
        <Tabs.Panel value="traffic">
          <Traffic />
        </Tabs.Panel>
        <Tabs.Panel value="service">
          <Stack gap="xl">
            <Upstreams />
            <Registry />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
