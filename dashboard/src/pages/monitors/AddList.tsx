import { Button, FileButton, Group, Progress as ProgressBar, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { addMonitors } from "../../api/monitors.ts";
import { MutedText } from "../../components/MutedText.ts";
import { Notice } from "../../components/Notice.tsx";
import { Problem } from "../../components/Problem.tsx";
import { failureText } from "../../forms/failureTexts.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { readFile } from "../try/list/job/files.ts";
import { type RefusedFile, RefusedFileError } from "../try/list/job/table.ts";
import { texts as listTexts } from "../try/list/texts.ts";
import { WebhookField } from "./EditMonitor.tsx";
import { addInCalls, followJob, MAX_IN_CALLS, type Progress, pause } from "./numberList.ts";
import { texts } from "./texts.ts";
import { useIsLeft } from "./useIsLeft.ts";

const ACCEPTED = ".csv,.tsv,.txt,.xlsx,.xlsm,text/csv,text/plain";

/** The KVK numbers of a file or of a pasted text. */
interface NumberList {
  /** Each number once; empty without a column of KVK numbers. */
  readonly numbers: readonly string[];
  /** Rows whose lost leading zero was restored. */
  readonly restored: number;
  /** Other rows with content. */
  readonly other: number;
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
  const isLeft = useIsLeft();
  const forget = () => {
    setFault(undefined);
    setRun(undefined);
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
    if (isJob) await followJob(numbers, show, isLeft);
    else await addInCalls(numbers, (part) => addMonitors(part, fields), show, pause);
    setText("");
    setFile(undefined);
    onAdded();
  });
  const isDone = run !== undefined && run.done === run.total;
  const failed = run === undefined ? 0 : run.done - run.added;
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
            {file.other === 0 ? null : t.otherRows(number(file.other))}
          </Text>
        )}
        <WebhookField value={webhook} onChange={setWebhook} />
        {fault === undefined ? null : (
          <Notice tone="error">{fault === "noNumbers" ? t.noNumbers : refused[fault]}</Notice>
        )}
        <Problem
          failure={adding.failure}
          text={failureText(
            adding.failure,
            { FORBIDDEN: t.listRefused, ...(webhook !== "" && { INVALID_REQUEST: t.webhookRefused }) },
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
              {isDone && failed > 0 ? t.listFailed(number(failed)) : null}{" "}
              {!isDone && run.isJob ? t.inBackground : null}
            </MutedText>
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
  return { numbers, restored: items.short, other: items.other };
}
