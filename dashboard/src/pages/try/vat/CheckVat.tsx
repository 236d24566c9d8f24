import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { VatValidation } from "../../../../../src/contract/vatResources.ts";
import { bodyOf, type Call, validateVat } from "../../../api/publicApi.ts";
import { Facts } from "../../../components/Facts.tsx";
import { FocusedResult } from "../../../components/FocusedResult.tsx";
import { useTexts } from "../../../language/language.tsx";
import { useMutation } from "../../../queries/useMutation.ts";
import { CallFacts } from "../CallFacts.tsx";
import { CallProblem } from "../CallProblem.tsx";
import { Price, useTokenMeter } from "../tokenMeter.tsx";
import { texts } from "./texts.ts";
import { VatVerdict } from "./VatVerdict.tsx";

export function CheckVat() {
  const t = useTexts(texts);
  const { count } = useTokenMeter();
  const [typed, setTyped] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [call, setCall] = useState<Call<VatValidation>>();
  const calling = useMutation(async () => {
    setCall(undefined);
    const answered = count(await validateVat(typed.trim()));
    setCall(answered);
    bodyOf(answered);
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (typed.trim() !== "") void calling.run();
  };
  const outcome = call?.outcome;
  const { failure } = calling;
  return (
    <Stack gap="xl">
      <form noValidate onSubmit={send}>
        <Stack gap="md">
          <TextInput
            size="md"
            label={t.label}
            description={t.about}
            placeholder="NL912345603B01"
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setCall(undefined);
              calling.forget();
            }}
            error={isChecked && typed.trim() === "" ? t.missing : undefined}
            autoComplete="off"
            spellCheck={false}
          />
          <Group>
            <Button type="submit" loading={calling.isBusy} rightSection={<Price of="validate" />}>
              {t.check}
            </Button>
          </Group>
        </Stack>
      </form>
      {failure === undefined ? null : (
        <FocusedResult>
          <CallProblem failure={failure} text={failure.code === "UPSTREAM_ERROR" ? t.noAnswer : undefined} />
        </FocusedResult>
      )}
      {call === undefined ? null : (
        <Stack gap="lg">
          {outcome !== undefined && "body" in outcome ? (
            <FocusedResult>
              <Verdict of={outcome.body} />
            </FocusedResult>
          ) : null}
          <CallFacts of={call} />
        </Stack>
      )}
    </Stack>
  );
}

function Verdict({ of }: { readonly of: VatValidation }) {
  const t = useTexts(texts);
  const isWithheld = of.valid && of.name === undefined;
  return (
    <Stack gap="md">
      <VatVerdict vat={of} />
      <Facts
        facts={[
          [t.number, of.vatNumber],
          [t.name, of.name],
          [t.address, of.address],
        ]}
      />
      {isWithheld ? (
        <Text size="sm" c="dimmed">
          {t.withheld}
        </Text>
      ) : null}
    </Stack>
  );
}
