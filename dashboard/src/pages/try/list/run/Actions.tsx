import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../../../components/Dialog.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import type { CompanyList } from "../job/companyList.ts";
import type { Run } from "../job/listRun.ts";
import { matchTexts } from "../matchTexts.ts";
import { texts } from "../texts.ts";

interface Props {
  readonly list: CompanyList;
  readonly run: Run;
  readonly hasSheets: boolean;
}

/** Pauses, continues, retries and removes the list. */
export function Actions({ list, run, hasSheets }: Props) {
  const { run: t } = useTexts(texts);
  const { rowsOf } = useTexts(matchTexts);
  const { number } = useLanguage().formats;
  const [confirming, setConfirming] = useState<"discard" | "sheet">();
  const { phase, noAnswer } = run;
  const hasStopped = phase === "stopped" || phase === "done";
  const close = () => setConfirming(undefined);
  const isSheet = confirming === "sheet";
  // One button both pauses and continues, so that it keeps the focus.
  const press = () => {
    if (phase === "running") list.pause();
    if (phase === "stopped") list.resume();
  };
  return (
    <Group>
      {phase === "done" ? null : (
        <Button
          variant={phase === "stopped" ? "filled" : "default"}
          aria-disabled={phase === "stopping" || undefined}
          onClick={press}
        >
          {t.pause[phase]}
        </Button>
      )}
      {phase === "done" && noAnswer > 0 ? (
        <Button onClick={() => list.resume(true)}>{t.again(rowsOf(noAnswer, number(noAnswer)))}</Button>
      ) : null}
      {hasStopped && hasSheets ? (
        <Button variant="default" onClick={() => setConfirming("sheet")}>
          {t.sheet}
        </Button>
      ) : null}
      {hasStopped ? (
        <Button variant="default" onClick={() => setConfirming("discard")}>
          {t.discard}
        </Button>
      ) : null}
      <Dialog title={isSheet ? t.sheetAsk : t.discardAsk} isOpen={confirming !== undefined} onClose={close}>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.discardNo}
          </Button>
          <Button
            color="red.9"
            onClick={() => {
              list.discard(isSheet);
              close();
            }}
          >
            {isSheet ? t.sheet : t.discardYes}
          </Button>
        </Group>
      </Dialog>
    </Group>
  );
}
