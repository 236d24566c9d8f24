import { Anchor, Group, Loader, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { readKeys } from "../../api/account.ts";
import { Icon } from "../../components/Icon.tsx";
import { useTexts } from "../../language/language.tsx";
import { linkTo } from "../../router/router.ts";
import { texts } from "./texts.ts";

const LOOK_EVERY_MS = 3_000;
/** After ten minutes nobody is waiting any more. */
const MAX_LOOKS = 200;

interface Props {
  readonly keyId: string;
  /** Called once the call has arrived, to read the usage again. */
  readonly onArrived: () => void;
}

/** Waits for the first call with a key, and says that it arrived. */
export function FirstArrival({ keyId, onArrived }: Props) {
  const t = useTexts(texts);
  const [hasArrived, setArrived] = useState(false);
  useEffect(() => {
    let looks = 0;
    const look = async () => {
      looks += 1;
      // The page as a whole reports an outage; this continues afterwards.
      const { keys } = await readKeys(1).catch(() => ({ keys: [] }));
      const calls = keys.find(({ id }) => id === keyId)?.requests ?? 0;
      if (calls > 0) {
        setArrived(true);
        onArrived();
      }
      if (calls > 0 || looks >= MAX_LOOKS) clearInterval(timer);
    };
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void look();
    }, LOOK_EVERY_MS);
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
