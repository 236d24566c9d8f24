import { Stack, Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { PageTitle } from "../../components/PageTitle.tsx";
import { TabRow } from "../../components/TabRow.tsx";
import { useTexts } from "../../language/language.tsx";
import { usePart, useSubject } from "../../router/router.ts";
import { usePendingBadge } from "../../session/pendingRequests.tsx";
import { Accounts, Suspensions } from "./Accounts.tsx";
import { AccountPage } from "./account/AccountPage.tsx";
import { Audit } from "./audit/Audit.tsx";
import { PlanRequests } from "./PlanRequests.tsx";
import { Registry, Upstreams } from "./Service.tsx";
import { Traffic } from "./Traffic.tsx";
import { texts } from "./texts.ts";

const TABS = ["accounts", "requests", "traffic", "service", "audit"] as const;

/** The sections of each tab; `account` is the one in the address, or empty. */
const VIEWS: Readonly<Record<(typeof TABS)[number], (account: string) => ReactNode>> = {
  accounts: () => (
    <>
      <Accounts />
      <Suspensions />
    </>
  ),
  requests: () => <PlanRequests />,
  traffic: () => <Traffic />,
  service: () => (
    <>
      <Upstreams />
      <Registry />
    </>
  ),
  audit: (account) => <Audit key={account} account={account} />,
};

export function OperatorPage() {
  const t = useTexts(texts);
  const [part, setPart] = usePart("operator", [...TABS, "account"]);
  const subject = useSubject();
  const badge = usePendingBadge();
  if (part === "account" && subject !== undefined) return <AccountPage key={subject} id={subject} />;
  const tab = part === "account" ? "accounts" : part;
  return (
    <>
      <PageTitle title={t.title} about={t.about} />
      <Tabs value={tab} onChange={setPart} keepMounted={false}>
        <TabRow label={t.what}>
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name} rightSection={name === "requests" ? badge : undefined}>
              {t.tabs[name]}
            </Tabs.Tab>
          ))}
        </TabRow>
        <Tabs.Panel value={tab}>
          <Stack gap="xl">{VIEWS[tab](subject ?? "")}</Stack>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
