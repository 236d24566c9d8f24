import { Box, Tabs, Text } from "@mantine/core";
import { useState } from "react";
import type { AutocompleteItem } from "../../../../src/contract/resources.ts";
import { LazyPart, type PagePart } from "../../components/LazyPart.tsx";
import { NoRegistry } from "../../components/NoRegistry.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { TabRow } from "../../components/TabRow.tsx";
import { useTexts } from "../../language/language.tsx";
import { usePart } from "../../router/router.ts";
import { FindCompany } from "./find/FindCompany.tsx";
import { SearchCompanies } from "./search/SearchCompanies.tsx";
import { texts } from "./texts.ts";
import { TokenMeterProvider, useTokenMeter, useTokens } from "./tokenMeter.tsx";
import { CheckVat } from "./vat/CheckVat.tsx";

const LISTS: PagePart = {
  name: "list",
  load: () => import("./list/ListView.tsx").then(({ ListView }) => ListView),
};

const TABS = ["find", "search", "list", "vat"] as const;

/** Lets people try the API in the browser. */
export function TryPage() {
  const t = useTexts(texts);
  const [tab, setTab] = usePart("try", TABS);
  const [opened, setOpened] = useState<AutocompleteItem>();
  const open = (item: AutocompleteItem) => {
    setOpened({ ...item });
    setTab("find");
  };
  return (
    <TokenMeterProvider>
      <PageTitle title={t.title} about={t.about} />
      <NoRegistry />
      <Box className="surface" p={{ base: "md", sm: "xl" }}>
        <Tabs value={tab} onChange={setTab} keepMounted>
          <TabRow label={t.what}>
            {TABS.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t.tabs[name]}
              </Tabs.Tab>
            ))}
          </TabRow>
          <Tabs.Panel value="find">
            <FindCompany opened={opened} />
          </Tabs.Panel>
          <Tabs.Panel value="search">
            <SearchCompanies onOpen={({ isActive, ...row }) => open(isActive ? row : { ...row, isActive })} />
          </Tabs.Panel>
          <Tabs.Panel value="list">{tab === "list" ? <LazyPart part={LISTS} /> : null}</Tabs.Panel>
          <Tabs.Panel value="vat">
            <CheckVat />
          </Tabs.Panel>
        </Tabs>
      </Box>
      <Tally />
    </TokenMeterProvider>
  );
}

function Tally() {
  const t = useTexts(texts);
  const { spent, remaining } = useTokenMeter();
  const tokens = useTokens();
  return (
    <Text size="sm" c="dimmed" role="status" data-testid="spent">
      {t.spent(tokens(spent))} {remaining === undefined ? null : t.left(tokens(remaining))}
    </Text>
  );
}
