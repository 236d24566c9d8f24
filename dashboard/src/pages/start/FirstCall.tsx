import { Anchor, Button, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { readKeys } from "../../api/account.ts";
import { autocomplete, autocompletePath, type Call } from "../../api/publicApi.ts";
import { CallCost } from "../../components/CallCost.tsx";
import { FocusedResult } from "../../components/FocusedResult.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Json } from "../../components/Json.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Problem } from "../../components/Problem.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { linkTo } from "../../router/router.ts";
import type { Request } from "../../snippets/snippets.ts";
import { texts } from "./texts.ts";

/** The search of the first call, which succeeds with any registry, even an empty one. */
const FIRST_SEARCH = "bakkerij";

/** The first call as example code. */
export function firstRequest(key?: string): Request {
  const url = `${location.origin}${autocompletePath(FIRST_SEARCH)}`;
  return { method: "GET", url, needsKey: true, body: undefined, ...(key !== undefined && { key }) };
}

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
        <MutedText>{t.tryAbout}</MutedText>
      </Stack>
      <Group>
        <Button loading={calling.isBusy} onClick={() => calling.run()}>
          {t.tryButton}
        </Button>
        {call === undefined ? null : <CallCost cost={call.cost} />}
      </Group>
      <Problem failure={calling.failure ?? failure} />
      {call === undefined ? null : (
        <FocusedResult>
          <Json label={t.answer} value={call.raw.body} />
        </FocusedResult>
      )}
    </Stack>
  );
}

const POLL_MS = 3_000;
/** The page polls for the first call for ten minutes. */
const MAX_POLLS = 200;

interface Props {
  readonly keyId: string;
  /** Called once the call has arrived, to read the usage again. */
  readonly onArrived: () => void;
}

/** Waits for the first call with a key, and reports its arrival. */
export function FirstCallArrival({ keyId, onArrived }: Props) {
  const t = useTexts(texts);
  const [hasArrived, setArrived] = useState(false);
  useEffect(() => {
    let polls = 0;
    const look = async () => {
      polls += 1;
      // The page reports an outage elsewhere; polling continues afterwards.
      const { keys } = await readKeys(1).catch(() => ({ keys: [] }));
      const calls = keys.find(({ id }) => id === keyId)?.requests ?? 0;
      if (calls > 0) {
        setArrived(true);
        onArrived();
      }
      if (calls > 0 || polls >= MAX_POLLS) clearInterval(timer);
    };
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void look();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [keyId, onArrived]);
  return (
    <Group gap="xs" role="status" data-testid="first-call">
      {hasArrived ? <Icon name="check" size={18} /> : <Loader size={14} aria-hidden />}
      <Text size="sm" fw={hasArrived ? 600 : undefined}>
        {hasArrived ? t.callArrived : t.waitingForCall}
      </Text>
      {hasArrived ? (
        <Anchor href={linkTo("usage")} size="sm">
          {t.details}
        </Anchor>
      ) : null}
    </Group>
  );
}
