import { readCalls } from "../../api/account.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { CallList, useCalls } from "./CallList.tsx";
import { texts } from "./texts.ts";

/** The service's default, used until its value is loaded. */
const DEFAULTS = { maxCalls: 1_000, days: 7 };

export function CallsPage() {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const list = useCalls(readCalls);
  const { maxCalls, days } = list.calls.value ?? DEFAULTS;
  return (
    <>
      <PageTitle title={t.title} about={t.about(number(maxCalls), number(days))} />
      <CallList {...list} off={t.off} />
    </>
  );
}
