import { useState } from "react";
import { readCallsOf } from "../../../api/operator.ts";
import { Notice } from "../../../components/Notice.tsx";
import { useTexts } from "../../../language/language.tsx";
import { useQuery } from "../../../queries/useQuery.ts";
import { ANY_CALLS, CallList } from "../../calls/CallList.tsx";
import { texts } from "./texts.ts";

/** The last calls of an account, as it sees them itself. */
export function Calls({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const [asked, setAsked] = useState(ANY_CALLS);
  const calls = useQuery(() => readCallsOf(id, asked), JSON.stringify(asked));
  const isOff = calls.now.state === "ready" && !calls.now.value.isOn;
  return (
    <>
      {isOff ? <Notice tone="info">{t.callsOff}</Notice> : null}
      <CallList calls={calls} asked={asked} onAsk={setAsked} />
    </>
  );
}
