import { useState } from "react";
import { readCalls } from "../../api/account.ts";
import { Notice } from "../../components/Notice.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { ANY_CALLS, CallList } from "./CallList.tsx";
import { texts } from "./texts.ts";

/** What the service keeps, until it has said so itself. */
const KEPT = { mostCalls: 1_000, days: 7 };

/** The account's last calls, by key, status and operation. */
export function CallsPage() {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const [asked, setAsked] = useState(ANY_CALLS);
  const calls = useQuery(() => readCalls(asked), JSON.stringify(asked));
  const known = calls.now.state === "ready" ? calls.now.value : undefined;
  const { mostCalls, days } = known ?? KEPT;
  return (
    <>
      <PageTitle title={t.title} about={t.about(number(mostCalls), number(days))} />
      {known?.isOn === false ? <Notice tone="info">{t.off}</Notice> : null}
      <CallList calls={calls} asked={asked} onAsk={setAsked} />
    </>
  );
}
