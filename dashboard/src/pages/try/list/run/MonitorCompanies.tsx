import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../../../components/Dialog.tsx";
import { Problem } from "../../../../components/Problem.tsx";
import { failureText } from "../../../../forms/failureTexts.ts";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { useMutation } from "../../../../queries/useMutation.ts";
import { linkTo } from "../../../../router/router.ts";
import { followJob, type Progress } from "../../../monitors/numberList.ts";
import { useIsLeft } from "../../../monitors/useIsLeft.ts";
import { texts } from "../texts.ts";

/** Monitors the companies of a list, after a question. @param numbers their KVK numbers */
export function MonitorCompanies({ numbers }: { readonly numbers: readonly string[] }) {
  const t = useTexts(texts).run;
  const { number, duration } = useLanguage().formats;
  const [isAsking, setAsking] = useState(false);
  const [{ done, added }, setProgress] = useState<Progress>({ done: 0, added: 0 });
  const isLeft = useIsLeft();
  const adding = useMutation(() => followJob(numbers, setProgress, isLeft));
  if (numbers.length === 0) return null;
  const companies = t.companiesOf(numbers.length, number(numbers.length));
  const close = () => setAsking(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t.monitor(companies)}
      </Button>
      <Dialog title={t.monitorAsk(companies)} isOpen={isAsking} onClose={close}>
        <Stack gap="md">
          <Text size="sm">{t.monitorAbout}</Text>
          <Problem
            failure={adding.failure}
            text={failureText(adding.failure, { FORBIDDEN: t.monitorRefused }, duration)}
          />
          {done === 0 || adding.isBusy ? null : (
            <Text role="status" size="sm">
              {t.monitored(number(added))} {done === added ? null : t.notMonitored(number(done - added))}{" "}
              <Anchor href={linkTo("monitors")}>{t.toMonitors}</Anchor>
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t.monitorNo}
            </Button>
            <Button loading={adding.isBusy} onClick={() => void adding.run()}>
              {t.monitorYes}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
