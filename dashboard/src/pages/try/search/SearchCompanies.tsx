import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { SearchItem } from "../../../../../src/contract/resources.ts";
import type { Failure } from "../../../api/failure.ts";
import { bodyOf, type Call, type SearchPage, type SearchQuery, search } from "../../../api/publicApi.ts";
import { FocusedResult } from "../../../components/FocusedResult.tsx";
import { useTexts } from "../../../language/language.tsx";
import { useMutation } from "../../../queries/useMutation.ts";
import { CallFacts } from "../CallFacts.tsx";
import { CallProblem } from "../CallProblem.tsx";
import { useTokenMeter } from "../tokenMeter.tsx";
import { isBeyondLive } from "./fields.ts";
import { Hits } from "./Hits.tsx";
import { SearchForm } from "./SearchForm.tsx";
import { texts } from "./texts.ts";

/** Failures for which a retry is pointless. */
const FINAL: readonly string[] = ["INVALID_REQUEST", "FORBIDDEN", "QUOTA_EXCEEDED", "UNAUTHORIZED"];

/** Searches for companies, page by page. `onOpen` shows one of them. */
export function SearchCompanies({ onOpen }: { readonly onOpen: (item: SearchItem) => void }) {
  const t = useTexts(texts);
  const { count } = useTokenMeter();
  const [query, setQuery] = useState<SearchQuery>();
  const [call, setCall] = useState<Call<SearchPage>>();
  const [shown, setShown] = useState<{ readonly found: SearchPage; readonly round: number }>();
  const calling = useMutation(async (next: SearchQuery) => {
    setQuery(next);
    setCall(undefined);
    const answer = count(await search(next));
    setCall(answer);
    const found = bodyOf(answer);
    // A new key mounts a new heading, which takes the focus.
    setShown((before) => ({ found, round: (before?.round ?? 0) + 1 }));
  });
  const { failure } = calling;
  return (
    <Stack gap="xl">
      <SearchForm
        isBusy={calling.isBusy}
        onSearch={(fields) => {
          setShown(undefined);
          void calling.run({ ...fields, page: 1 });
        }}
      />
      {failure === undefined || query === undefined ? null : (
        <FocusedResult>
          <Stack gap={4} data-testid="no-results">
            <CallProblem
              failure={failure}
              text={messageOf(failure, query, t)}
              again={FINAL.includes(failure.code) ? undefined : () => void calling.run(query)}
            />
            {failure.code === "INVALID_REQUEST" ? null : (
              <Text size="sm" c="dimmed">
                {t.noResults}
              </Text>
            )}
          </Stack>
        </FocusedResult>
      )}
      {shown === undefined || query === undefined ? null : (
        <Hits
          key={shown.round}
          found={shown.found}
          isBusy={calling.isBusy}
          onPage={(page) => void calling.run({ ...query, page })}
          onOpen={onOpen}
        />
      )}
      {call === undefined ? null : <CallFacts of={call} />}
    </Stack>
  );
}

/** Returns the message for a failed search, if the usual text of its code is not specific enough. */
function messageOf({ code }: Failure, query: SearchQuery, t: (typeof texts)["en"]): string | undefined {
  // With this form, the API has no other reason for this code.
  return code === "INVALID_REQUEST" && isBeyondLive(query) ? t.beyondLive : undefined;
}
