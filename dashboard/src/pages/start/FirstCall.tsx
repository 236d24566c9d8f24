import { Button, Group, Stack, Title } from "@mantine/core";
import { useState } from "react";
import { autocomplete, autocompletePath, type Call } from "../../api/publicApi.ts";
import { Arrival } from "../../components/Arrival.tsx";
import { Json } from "../../components/Json.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Quiet } from "../../components/Quiet.ts";
import { Spent } from "../../components/Spent.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import type { Request } from "../../snippets/snippets.ts";
import { texts } from "./texts.ts";

/** The search of the first call: an answer comes whatever registry is served, even an empty one. */
const FIRST_SEARCH = "bakkerij";

/** The first call, as examples show it. */
export function firstRequest(key?: string): Request {
  const url = `${location.origin}${autocompletePath(FIRST_SEARCH)}`;
  return { method: "GET", url, needsKey: true, body: undefined, ...(key !== undefined && { key }) };
}

/** The first call, made by a click. */
export function FirstCall({ onSpent }: { readonly onSpent: () => void }) {
  const t = useTexts(texts);
  const [call, setCall] = useState<Call<unknown>>();
  const calling = useMutation(async () => {
    setCall(undefined);
    setCall(await autocomplete(FIRST_SEARCH));
    onSpent();
  });
  const failure = call !== undefined && "failure" in call.outcome ? call.outcome.failure : undefined;
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <Title order={3}>{t.tryTitle}</Title>
        <Quiet>{t.tryAbout}</Quiet>
      </Stack>
      <Group>
        <Button loading={calling.isBusy} onClick={() => calling.run()}>
          {t.tryButton}
        </Button>
        {call === undefined ? null : <Spent cost={call.cost} />}
      </Group>
      <Problem failure={calling.failure ?? failure} />
      {call === undefined ? null : (
        <Arrival>
          <Json label={t.answer} value={call.raw.body} />
        </Arrival>
      )}
    </Stack>
  );
}
