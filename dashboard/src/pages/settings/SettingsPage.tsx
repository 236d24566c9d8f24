import { readSessions } from "../../api/account.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { usePerson } from "../../session/session.tsx";
import { ChangePassword } from "./ChangePassword.tsx";
import { DeleteAccount, DownloadData } from "./DeleteAccount.tsx";
import { AllowanceMails, ChangeEmail } from "./Email.tsx";
import { Sessions } from "./Sessions.tsx";
import { TwoFactor } from "./TwoFactor.tsx";
import { texts } from "./texts.ts";

export function SettingsPage() {
  const t = useTexts(texts);
  const { email } = usePerson();
  const sessions = useQuery(readSessions);
  return (
    <>
      <PageTitle title={t.title} about={t.about(email)} />
      <ChangeEmail />
      <ChangePassword onChanged={sessions.reload} />
      <TwoFactor onTurnedOn={sessions.reload} />
      <Sessions sessions={sessions} />
      <AllowanceMails />
      <DownloadData />
      <DeleteAccount />
    </>
  );
}
