import { Anchor, Button, Text } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "../../../../forms/ConfirmDialog.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { linkTo } from "../../../../router/router.ts";
import { followJob, type Progress } from "../../../monitors/numberList.ts";
import { texts as monitorTexts } from "../../../monitors/texts.ts";
import { useIsLeft } from "../../../monitors/useIsLeft.ts";
import { texts } from "../texts.ts";

/** Monitors the companies of a list, after a question. @param numbers their KVK numbers */
export function MonitorCompanies({ numbers }: { readonly numbers: readonly string[] }) {
  const { run: t } = useTexts(texts);
  const monitors = useTexts(monitorTexts);
  const { number } = useLanguage().formats;
  const [isAsking, setAsking] = useState(false);
  const [{ done, added }, setProgress] = useState<Progress>({ done: 0, added: 0 });
  const isLeft = useIsLeft();
  const companies = t.companiesOf(numbers.length, number(numbers.length));
  if (numbers.length === 0) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t.monitor(companies)}
      </Button>
      <ConfirmDialog
        title={t.monitorAsk(companies)}
        about={t.monitorAbout}
        button={monitors.addListButton}
        failureTexts={{ FORBIDDEN: monitors.listRefused }}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        act={() => followJob(numbers, setProgress, isLeft).then(() => setAsking(false))}
      />
      {done === 0 || isAsking ? null : (
        <Text role="status" size="sm">
          {monitors.listDone(number(added))} {done > added && monitors.listFailed(number(done - added))}{" "}
          <Anchor href={linkTo("monitors")}>{t.toMonitors}</Anchor>
        </Text>
      )}
    </>
  );
}
