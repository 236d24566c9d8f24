import { Badge, Stack, Text } from "@mantine/core";
import type { BranchList } from "../../../../../src/contract/resources.ts";
import { CardTable } from "../../../components/CardTable.tsx";
import { FocusedTitle } from "../../../components/FocusedResult.tsx";
import { addressLine } from "../../../language/addressLine.ts";
import { useTexts } from "../../../language/language.tsx";
import { texts } from "./texts.ts";

export function Branches({ list }: { readonly list: BranchList }) {
  const t = useTexts(texts);
  return (
    <Stack gap="md" data-testid="branches">
      <FocusedTitle>{t.branchesOf(list.name)}</FocusedTitle>
      {list.branches.length === 0 ? (
        <Text c="dimmed">{t.noBranches}</Text>
      ) : (
        <CardTable
          rows={list.branches}
          nameOf={({ branchNumber }) => ({ key: branchNumber, testId: "branch" })}
          columns={[
            {
              title: t.branchName,
              speaksForItself: true,
              cell: ({ name = list.name, isMain }) => (
                <>
                  <Text size="sm" fw={600}>
                    {name}
                  </Text>
                  {isMain ? (
                    <Badge variant="light" tt="none" className="badge live">
                      {t.mainBranch}
                    </Badge>
                  ) : null}
                </>
              ),
            },
            { title: t.address, cell: ({ address }) => address && addressLine(address) },
            { title: t.branchNumber, cell: ({ branchNumber }) => branchNumber },
            { title: t.branchState, cell: ({ isActive }) => (isActive ? t.active : t.ended) },
          ]}
        />
      )}
    </Stack>
  );
}
