import { Badge, Stack, Table, Text } from "@mantine/core";
import type { BranchList } from "../../../../../src/contract/resources.ts";
import { ArrivalTitle } from "../../../components/Arrival.tsx";
import { useTexts } from "../../../language/language.tsx";
import { addressLine } from "../addressLine.ts";
import { texts } from "./texts.ts";

/** The branches of a company. */
export function Branches({ list }: { readonly list: BranchList }) {
  const t = useTexts(texts);
  return (
    <Stack gap="md" data-testid="branches">
      <ArrivalTitle order={2}>{t.branchesOf(list.name)}</ArrivalTitle>
      {list.branches.length === 0 ? (
        <Text c="dimmed">{t.noBranches}</Text>
      ) : (
        <div className="cards-box">
          <Table className="cards" verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t.branchName}</Table.Th>
                <Table.Th scope="col">{t.fields.address}</Table.Th>
                <Table.Th scope="col">{t.branchNumber}</Table.Th>
                <Table.Th scope="col">{t.branchState}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.branches.map(({ branchNumber, name, isMain, isActive, address }) => (
                <Table.Tr key={branchNumber}>
                  <Table.Td>
                    <Text size="sm" fw={600}>
                      {name ?? list.name}
                    </Text>
                    {isMain ? (
                      <Badge variant="light" tt="none" className="badge live">
                        {t.mainBranch}
                      </Badge>
                    ) : null}
                  </Table.Td>
                  <Table.Td data-label={t.fields.address}>{address && addressLine(address)}</Table.Td>
                  <Table.Td data-label={t.branchNumber}>{branchNumber}</Table.Td>
                  <Table.Td data-label={t.branchState}>{isActive ? t.active : t.ended}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Stack>
  );
}
