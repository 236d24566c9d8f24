import { Button, Checkbox, Group, Progress, Stack, Text, Textarea } from "@mantine/core";
import { useMemo, useState } from "react";
import { Notice } from "../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { CallProblem } from "../CallProblem.tsx";
import { useTokenMeter } from "../tokenMeter.tsx";
import { DropFile } from "./DropFile.tsx";
import { ListResult } from "./ListResult.tsx";
import { readNumbers } from "./readNumbers.ts";
import { texts } from "./texts.ts";
import { useBatch } from "./useBatch.ts";

/** A list of numbers, completed and taken along. */
export function CompleteList() {
  const t = useTexts(texts);
  const { number, duration } = useLanguage().formats;
  const { priceOfMany } = useTokenMeter();
  const [text, setText] = useState("");
  const [isEverything, setEverything] = useState(false);
  const { progress, start, stop } = useBatch();
  const { numbers, padded } = useMemo(() => readNumbers(text), [text]);
  const { state, done, asked, waitSeconds } = progress;
  const isRunning = state === "running";
  const price = priceOfMany(isEverything ? "batch.enriched" : "batch", numbers.length) ?? "";
  return (
    <Stack gap="lg">
      <Textarea
        label={t.label}
        description={t.about}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rows={6}
        spellCheck={false}
        disabled={isRunning}
        classNames={{ input: "list" }}
      />
      <DropFile onText={setText} />
      <Checkbox
        label={t.everything}
        description={t.everythingAbout}
        checked={isEverything}
        onChange={(event) => setEverything(event.currentTarget.checked)}
        disabled={isRunning}
      />
      <Group gap="md">
        {isRunning ? (
          <Button variant="default" onClick={stop}>
            {t.stop}
          </Button>
        ) : (
          <Button disabled={numbers.length === 0} onClick={() => start(numbers, isEverything)}>
            {t.start}
          </Button>
        )}
        <Text size="sm" c="dimmed">
          {numbers.length === 0 ? t.none : t.count(number(numbers.length), price)}{" "}
          {padded === 0 ? null : t.padded(number(padded))}
        </Text>
      </Group>
      {state === "idle" ? null : (
        <Stack gap="xs">
          <Progress.Root size="lg" radius="xl">
            <Progress.Section color="sea.5" value={(100 * done) / asked.length} aria-label={t.progress} />
          </Progress.Root>
          <Text size="sm" c="dimmed" role="status" data-testid="progress">
            {t.done(number(done), number(asked.length))}.{" "}
            {waitSeconds > 0 ? t.waiting(duration(waitSeconds)) : null}
          </Text>
        </Stack>
      )}
      <CallProblem making={progress.making} answered={progress.answered} />
      {state === "stopped" && done > 0 ? <Notice tone="info">{t.stopped}</Notice> : null}
      {isRunning || done === 0 ? null : <ListResult asked={asked} result={progress.result} />}
    </Stack>
  );
}
