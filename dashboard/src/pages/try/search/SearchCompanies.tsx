import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import { NOT_NOW } from "../../../../../src/contract/notNow.ts";
import type { SearchItem } from "../../../../../src/contract/resources.ts";
import type { Failure } from "../../../api/failure.ts";
import { type AskedSearch, type Call, type SearchPage, search } from "../../../api/publicApi.ts";
import { Arrival } from "../../../components/Arrival.tsx";
import { Spent } from "../../../components/Spent.tsx";
import { useTexts } from "../../../language/language.tsx";
import { useMutation } from "../../../queries/useMutation.ts";
import { CallProblem } from "../CallProblem.tsx";
import { Raw } from "../Raw.tsx";
import { useTokenMeter } from "../tokenMeter.tsx";
import { isBeyondLive } from "./fields.ts";
import { Hits } from "./Hits.tsx";
import { SearchForm } from "./SearchForm.tsx";
import { texts } from "./texts.ts";

/** Asking the same again cannot help. */
const FINAL: readonly string[] = ["INVALID_REQUEST", "FORBIDDEN", "QUOTA_EXCEEDED", "UNAUTHORIZED"];

/** Companies by what is known of them, page by page. `onOpen` leads to what is known of one. */
export function SearchCompanies({ onOpen }: { readonly onOpen: (item: SearchItem) => void }) {
  const t = useTexts(texts);
  const { count } = useTokenMeter();
  const [asked, setAsked] = useState<AskedSearch>();
  const [call, setCall] = useState<Call<SearchPage>>();
  const [shown, setShown] = useState<{ readonly found: SearchPage; readonly round: number }>();
  const calling = useMutation(async (next: AskedSearch) => {
    setAsked(next);
    setCall(undefined);
    const answer = count(await search(next));
    setCall(answer);
    const { outcome } = answer;
    // A new round is a new heading, which takes the focus.
    if ("body" in outcome) setShown((before) => ({ found: outcome.body, round: (before?.round ?? 0) + 1 }));
  });
  const outcome = call?.outcome;
  const answered = outcome !== undefined && "failure" in outcome ? outcome.failure : undefined;
  const failure = calling.failure ?? answered;
  return (
    <Stack gap="xl">
      <SearchForm
        isBusy={calling.isBusy}
        onSearch={(fields) => {
          setShown(undefined);
          void calling.run({ ...fields, page: 1 });
        }}
      />
      {failure === undefined || asked === undefined ? null : (
        <Arrival>
          <Stack gap={4} data-testid="no-results">
            <CallProblem
              making={calling.failure}
              answered={answered}
              says={answered && saidOf(answered, asked, t)}
              again={FINAL.includes(failure.code) ? undefined : () => void calling.run(asked)}
            />
            {failure.code === "INVALID_REQUEST" ? null : (
              <Text size="sm" c="dimmed">
                {t.noResults}
              </Text>
            )}
          </Stack>
        </Arrival>
      )}
      {shown === undefined || asked === undefined ? null : (
        <Hits
          key={shown.round}
          found={shown.found}
          isBusy={calling.isBusy}
          onPage={(page) => void calling.run({ ...asked, page })}
          onOpen={onOpen}
        />
      )}
      {call === undefined ? null : (
        <Stack gap="lg">
          <Spent cost={call.cost} />
          <Raw of={call} />
        </Stack>
      )}
    </Stack>
  );
}

/** What a failure means of a search, where its code does not say it all. */
function saidOf({ code, message }: Failure, asked: AskedSearch, t: (typeof texts)["en"]): string | undefined {
  if (message === NOT_NOW.namesNotIndexed) return t.indexing;
  if (message === NOT_NOW.noRegistry) return t.noRegistry;
  // The form asks for nothing that the API refuses for another cause.
  return code === "INVALID_REQUEST" && isBeyondLive(asked) ? t.beyondLive : undefined;
}
