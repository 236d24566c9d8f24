import { Badge, Code, Stack } from "@mantine/core";
import type { AccountCalls } from "../../../../src/contract/accountResources.ts";
import { CardTable } from "../../components/CardTable.tsx";
import { Quiet } from "../../components/Quiet.ts";
import { useKeyName } from "../../language/keyName.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { operations } from "../../language/operations.ts";
import { texts } from "./texts.ts";

/** A page of them would be several screens of a phone. */
const CARDS_AT_ONCE = 15;

type Call = AccountCalls["calls"][number];

/** Calls, the last one first. */
export function CallTable({ calls }: Pick<AccountCalls, "calls">) {
  const t = useTexts(texts);
  const names = useTexts(operations);
  const { number, momentWithSeconds } = useLanguage().formats;
  const keyName = useKeyName();
  const { columns } = t;
  return (
    <CardTable
      rows={calls}
      cardsAtOnce={CARDS_AT_ONCE}
      nameOf={({ requestId, status }) => ({ key: requestId, testId: "call", state: String(status) })}
      columns={[
        { title: columns.at, cell: ({ at }) => momentWithSeconds(at) },
        { title: columns.operation, cell: ({ operation }) => names[operation] },
        { title: columns.status, cell: (call) => <Status of={call} /> },
        { title: columns.tokens, cell: ({ tokens }) => number(tokens), isNumber: true },
        {
          title: columns.ms,
          cell: ({ durationMs }) => t.ms(number(Math.round(durationMs * 10) / 10)),
          isNumber: true,
        },
        { title: columns.key, cell: (call) => <span className="breaks">{keyName(call)}</span> },
        { title: columns.request, cell: ({ requestId }) => <Code className="breaks">{requestId}</Code> },
      ]}
    />
  );
}

const BADGES = {
  answered: { color: "sea", className: "badge live" },
  refused: { color: "yellow", className: "badge ending" },
  failed: { color: "red", className: "badge down" },
} as const;

/** Shown by colour, number and code, to tell an outage from a refusal. */
function Status({ of: { status, code } }: { readonly of: Call }) {
  const badge = status < 400 ? BADGES.answered : status < 500 ? BADGES.refused : BADGES.failed;
  return (
    <Stack gap={2} align="flex-start">
      <Badge {...badge}>{status}</Badge>
      {code === undefined ? null : (
        <Quiet size="xs" className="breaks">
          {code}
        </Quiet>
      )}
    </Stack>
  );
}
