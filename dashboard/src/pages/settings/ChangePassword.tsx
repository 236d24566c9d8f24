import { useState } from "react";
import { changePassword } from "../../api/account.ts";
import { FocusedResult } from "../../components/FocusedResult.tsx";
import { Notice } from "../../components/Notice.tsx";
import { Section } from "../../components/Section.tsx";
import { Form } from "../../forms/Form.tsx";
import { KnownPassword, PasswordField } from "../../forms/fields.tsx";
import { useNewPassword } from "../../forms/useNewPassword.ts";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { texts } from "./texts.ts";

/** Changes the password and signs out all other devices. `onChanged` is called afterwards. */
export function ChangePassword({ onChanged }: { readonly onChanged: () => void }) {
  const t = useTexts(texts);
  const [old, setOld] = useState("");
  const [isDone, setDone] = useState(false);
  const changing = useMutation(async () => {
    setDone(false);
    await changePassword(old, chosen.value);
    setOld("");
    chosen.clear();
    setDone(true);
    onChanged();
  });
  const chosen = useNewPassword(changing.failure);
  return (
    <Section title={t.password} about={t.passwordAbout}>
      <Form
        sending={changing}
        failureTexts={{ FORBIDDEN: t.oldWrong }}
        isComplete={chosen.isGood && old !== ""}
        button={t.change}
      >
        {(isChecked) => (
          <>
            {isDone ? (
              <FocusedResult>
                <Notice tone="good">{t.changed}</Notice>
              </FocusedResult>
            ) : null}
            <KnownPassword label={t.old} value={old} onChange={setOld} isChecked={isChecked} />
            <PasswordField label={t.new} {...chosen.field(isChecked)} />
          </>
        )}
      </Form>
    </Section>
  );
}
