import { Button, FileButton, Group, Progress as ProgressBar, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { Failure } from "../../api/failure.ts";
import { addMonitors } from "../../api/monitors.ts";
import { MutedText } from "../../components/MutedText.ts";
import { Notice } from "../../components/Notice.tsx";
import { Problem } from "../../components/Problem.tsx";
import { failureText } from "../../forms/failureTexts.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { problemOf } from "../../language/problems.ts";
import { useMutation } from "../../queries/useMutation.ts";
import { isNumberKey } from "../try/list/job/answers.ts";
import { readFile } from "../try/list/job/files.ts";
import { type RefusedFile, RefusedFileError } from "../try/list/job/table.ts";
import { texts as listTexts } from "../try/list/texts.ts";
import { WebhookField } from "./EditMonitor.tsx";
import { addInCalls, followJob, MAX_IN_CALLS, type Progress, pause, type Refused } from "./numberList.ts";
import { texts } from "./texts.ts";
import { useIsLeft } from "./useIsLeft.ts";
import { webhookFault } from "./webhookFault.ts";

const ACCEPTED = ".csv,.tsv,.txt,.xlsx,.xlsm,text/csv,text/plain";
/** Refused numbers that are listed for a reason; the box has them all. */
const MAX_SHOWN = 50;

/** The KVK numbers of a file or of a pasted text. */
interface NumberList {
  /** Each number once; empty without a column of KVK numbers. */
  readonly numbers: readonly string[];
  /** Rows whose lost leading zero was restored. */
  readonly restored: number;
  /** Other rows with content. */
  readonly other: readonly string[];
}

interface Run extends Progress {
  readonly total: number;
  /** Whether it continues without the page. */
  readonly isJob: boolean;
}

interface Chosen extends NumberList {
  readonly name: string;
}

/** Monitors a pasted list or a file. */
export function AddList({ onAdded }: { readonly onAdded: () => void }) {
  const t = useTexts(texts);
  const { refused } = useTexts(listTexts);
  const { number, duration } = useLanguage().formats;
  const [text, setText] = useState("");
  const [file, setFile] = useState<Chosen>();
  const [webhook, setWebhook] = useState("");
  const [fault, setFault] = useState<RefusedFile | "noNumbers">();
  const [run, setRun] = useState<Run>();
  const [refusedLines, setRefused] = useState<readonly Refused[]>([]);
  const isLeft = useIsLeft();
  const forget = () => {
    setFault(undefined);
    setRun(undefined);
    setRefused([]);
    adding.forget();
  };
  const choose = async (chosen: File | null) => {
    if (chosen === null) return;
    forget();
    const list = await read(chosen);
    if (list !== undefined) setFile({ name: chosen.name, ...list });
  };
  const read = async (content: Blob): Promise<NumberList | undefined> => {
    try {
      const list = await readNumbers(new Uint8Array(await content.arrayBuffer()));
      if (list.numbers.length > 0) return list;
      setFault("noNumbers");
    } catch (error) {
      setFault(error instanceof RefusedFileError ? error.reason : "unavailable");
    }
    return undefined;
  };
  const adding = useMutation(async () => {
    forget();
    const list = file ?? (await read(new Blob([text])));
    if (list === undefined) return;
    const { numbers } = list;
    const fields = webhook === "" ? {} : { webhook };
    // A job cannot set a webhook.
    const isJob = numbers.length > MAX_IN_CALLS && webhook === "";
    const show = (progress: Progress) => setRun({ ...progress, total: numbers.length, isJob });
    show({ done: 0, added: 0 });
    const failed = isJob
      ? await followJob(numbers, show, isLeft)
      : await addInCalls(numbers, (part) => addMonitors(part, fields), show, pause);
    const lines = [...failed, ...list.other.map((line) => ({ line, code: "INVALID_KVK_NUMBER" as const }))];
    setRefused(lines);
    setText(lines.map(({ line }) => line).join("\n"));
    setFile(undefined);
    onAdded();
  });
  const isDone = run !== undefined && run.done === run.total;
  const webhookRefusal = webhook === "" ? undefined : webhookFault(adding.failure);
  return (
    <details className="folded">
      <summary>{t.addList}</summary>
      <Stack gap="md" pt="md">
        <Textarea
          label={t.numbers}
          description={t.numbersAbout}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setFile(undefined);
            forget();
          }}
          rows={4}
          spellCheck={false}
        />
        <Group>
          <FileButton onChange={(chosen) => void choose(chosen)} accept={ACCEPTED}>
            {(props) => (
              <Button {...props} variant="default">
                {t.file}
              </Button>
            )}
          </FileButton>
        </Group>
        {file === undefined ? null : (
          <Text size="sm" role="status" className="breaks">
            {t.fromFile(file.name, number(file.numbers.length))}{" "}
            {file.restored === 0 ? null : t.restored(number(file.restored))}{" "}
            {file.other.length === 0 ? null : t.otherRows(number(file.other.length))}
          </Text>
        )}
        <WebhookField
          value={webhook}
          onChange={setWebhook}
          failure={adding.failure}
          onSecret={adding.forget}
        />
        {fault === undefined ? null : (
          <Notice tone="error">{fault === "noNumbers" ? t.noNumbers : refused[fault]}</Notice>
        )}
        <Problem
          failure={adding.failure}
          text={failureText(
            adding.failure,
            { FORBIDDEN: t.listRefused, INVALID_REQUEST: webhookRefusal && t.webhookFaults[webhookRefusal] },
            duration,
          )}
        />
        <Group>
          <Button
            disabled={text.trim() === "" && file === undefined}
            loading={adding.isBusy}
            onClick={() => void adding.run()}
          >
            {t.addListButton}
          </Button>
        </Group>
        {run === undefined ? null : (
          <Stack gap="xs" data-testid="list-progress">
            <ProgressBar.Root size="lg" radius="xl">
              <ProgressBar.Section value={(100 * run.done) / run.total} aria-label={t.progress} />
            </ProgressBar.Root>
            <MutedText role="status">
              {t.done(number(run.done), number(run.total))}. {isDone ? t.listDone(number(run.added)) : null}{" "}
              {!isDone && run.isJob ? t.inBackground : null}
            </MutedText>
            <RefusedLines of={refusedLines} />
          </Stack>
        )}
      </Stack>
    </details>
  );
}

/** Reads the column with KVK numbers. @throws {RefusedFileError} */
async function readNumbers(bytes: Uint8Array<ArrayBuffer>): Promise<NumberList> {
  const { items } = await readFile({ bytes });
  const numbers = items.keys.slice(0, items.numbers);
  const other = items.rows.flatMap(({ key, why, text }) =>
    (key !== undefined && isNumberKey(key)) || why === "empty" || why === "total" ? [] : text,
  );
  return { numbers, restored: items.short, other };
}

/** Lines of the list that are not monitored, by their reason. */
function RefusedLines({ of: lines }: { readonly of: readonly Refused[] }) {
  const t = useTexts(texts);
  const { language, formats } = useLanguage();
  if (lines.length === 0) return null;
  const groups = Map.groupBy(lines, ({ code }) =>
    code === "FORBIDDEN" ? t.overLimit : problemOf(new Failure(code, 0, ""), 0, language, formats),
  );
  return (
    <Notice tone="warning">
      <Text size="sm">{t.listFailed(formats.number(lines.length))}</Text>
      {[...groups].map(([reason, group]) => (
        <Text key={reason} size="sm" className="breaks">
          {reason}{" "}
          {group
            .slice(0, MAX_SHOWN)
            .map(({ line }) => line)
            .join(", ")}
          {group.length > MAX_SHOWN ? ", …" : null}
        </Text>
      ))}
    </Notice>
  );
}
