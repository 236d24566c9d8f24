import { confirm } from "../../api/account.ts";
import { useTexts } from "../../language/language.tsx";
import { goTo } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { KnownPassword } from "./KnownPassword.tsx";
import { texts } from "./texts.ts";

/** Where the link of the confirmation mail leads. */
export function Confirm({ token }: { readonly token: string }) {
  const t = useTexts(texts);
  const { take } = useSession();
  return (
    <KnownPassword
      title={t.confirmTitle}
      about={t.confirmAbout}
      button={t.confirm}
      refused={t.confirmBad}
      onSend={async (password) => {
        take(await confirm(token, password));
        goTo("start");
      }}
    />
  );
}
