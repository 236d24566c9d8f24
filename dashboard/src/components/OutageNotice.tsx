import { Button, Group, Text } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { probeService } from "../api/request.ts";
import { currentOutage, onConnectionChange, retryNow } from "../connection/connection.ts";
import { useSecondsUntil } from "../connection/useSecondsUntil.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { Notice } from "./Notice.tsx";

const texts = bilingual({
  title: ["The service can’t be reached right now", "De dienst is nu niet bereikbaar"],
  about: [
    "We keep trying. This page continues where you are once the service is back.",
    "We proberen het vanzelf opnieuw; daarna gaat deze pagina verder waar u bent.",
  ],
  next: (duration: string) => [`Next try in ${duration}.`, `Volgende poging over ${duration}.`],
  trying: ["Trying now…", "Nu aan het proberen…"],
  now: ["Try now", "Nu proberen"],
});

/** Reports an outage of the service and when it is tried next; renders nothing otherwise. */
export function OutageNotice() {
  const t = useTexts(texts);
  const { duration } = useLanguage().formats;
  const away = useSyncExternalStore(onConnectionChange, currentOutage);
  const seconds = useSecondsUntil(away?.nextTryMs);
  if (away === undefined) return null;
  return (
    <div data-testid="away">
      <Notice tone="error" title={t.title}>
        <Group justify="space-between" gap="sm">
          <Text size="sm" flex="1 1 16rem">
            {t.about}{" "}
            <span role="timer" aria-live="off">
              {away.isTrying || seconds === 0 ? t.trying : t.next(duration(seconds))}
            </span>
          </Text>
          <Button size="xs" variant="default" onClick={() => retryNow(probeService)}>
            {t.now}
          </Button>
        </Group>
      </Notice>
    </div>
  );
}
