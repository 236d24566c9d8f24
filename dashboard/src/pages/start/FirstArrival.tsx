import { Anchor, Group, Loader, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { readKeys } from "../../api/account.ts";
import { Icon } from "../../components/Icon.tsx";
import { useTexts } from "../../language/language.tsx";
import { linkTo } from "../../router/router.ts";
import { texts } from "./texts.ts";

const LOOK_EVERY_MS = 3_000;
/** Who has not called by then comes back some other time. */
const LOOKS = 200;

interface Props {
  readonly keyId: string;
  /** Called once the call has come, so that what was used is read anew. */
  readonly onArrived: () => void;
}

/** Waits for the first call with a key, and says that it came. */
export function FirstArrival({ keyId, onArrived }: Props) {
  const t = useTexts(texts);
  const calls = useCallsOf(keyId);
  const hasArrived = calls !== undefined;
  useEffect(() => {
    if (hasArrived) onArrived();
  }, [hasArrived, onArrived]);
  return (
    <Group gap="xs" role="status" data-testid="first-call">
      {calls === undefined ? <Loader size={14} aria-hidden /> : <Icon name="check" size={18} />}
      <Text size="sm" fw={calls === undefined ? undefined : 600}>
        {calls === undefined ? t.waitingForCall : t.callArrived}
      </Text>
      {calls === undefined ? null : (
        <Anchor href={linkTo("usage")} size="sm">
          {t.details}
        </Anchor>
      )}
    </Group>
  );
}

/** How many calls a key has made this month; undefined until there was one. */
function useCallsOf(keyId: string): number | undefined {
  const [calls, setCalls] = useState<number>();
  useEffect(() => {
    let looks = 0;
    let isOver = false;
    const look = async () => {
      looks += 1;
      // An outage is told by the page as a whole; this goes on afterwards.
      const { keys } = await readKeys(1).catch(() => ({ keys: [] }));
      const requests = keys.find(({ id }) => id === keyId)?.requests ?? 0;
      if (isOver) return;
      if (requests > 0) {
        setCalls(requests);
        clearInterval(timer);
      } else if (looks >= LOOKS) clearInterval(timer);
    };
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void look();
    }, LOOK_EVERY_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [keyId]);
  return calls;
}
