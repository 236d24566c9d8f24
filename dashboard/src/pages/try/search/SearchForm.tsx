import {
  Button,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  type TextInputProps,
} from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import { SBI_VERSIONS } from "../../../../../src/contract/activities.ts";
import { MAX_QUERY_LENGTH } from "../../../../../src/contract/totals.ts";
import { useTexts } from "../../../language/language.tsx";
import { legalForms } from "../../../language/legalForms.ts";
import { useSession } from "../../../session/session.tsx";
import { Price } from "../tokenMeter.tsx";
import { ActivityPicker } from "./ActivityPicker.tsx";
import { EMPTY, isBlank, isRefused, PAGE_SIZES, type SearchFields, trimmed } from "./fields.ts";
import { texts } from "./texts.ts";

const DESCRIPTION_BELOW = [
  "label",
  "input",
  "description",
  "error",
] satisfies TextInputProps["inputWrapperOrder"];

interface Props {
  readonly isBusy: boolean;
  readonly onSearch: (fields: SearchFields) => void;
}

/** The search form. It reports invalid values at their field without calling the API. */
export function SearchForm({ isBusy, onSearch }: Props) {
  const t = useTexts(texts);
  const forms = useTexts(legalForms);
  const [fields, setFields] = useState(EMPTY);
  const hasCourt = useSession().value?.hasCourt === true;
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const query = trimmed(fields);
  const faults = {
    q: isBlank(query) ? t.empty : isRefused("q", query) && t.qShort,
    postalCode: isRefused("postalCode", query) && t.postalCodeBad,
    sbiCode: isRefused("sbiCode", query) && t.sbiCodeBad,
  };
  const isGood = Object.values(faults).every((fault) => fault === false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isGood) onSearch(query);
    else
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  const bound = (name: Exclude<keyof SearchFields, "pageSize">) => ({
    value: fields[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setFields({ ...fields, [name]: event.currentTarget.value }),
  });
  const typed = { autoComplete: "off", spellCheck: false } as const;
  const code = {
    ...typed,
    inputWrapperOrder: DESCRIPTION_BELOW,
    maxLength: 12,
  };
  return (
    <form ref={form} noValidate onSubmit={send}>
      <Stack gap="md">
        <Text size="sm" c="dimmed" maw="62ch">
          {t.about}
        </Text>
        <TextInput
          size="md"
          label={t.q}
          description={t.qAbout}
          placeholder={t.placeholder}
          maxLength={MAX_QUERY_LENGTH}
          error={isChecked && faults.q}
          {...typed}
          {...bound("q")}
        />
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="md">
          <TextInput label={t.city} maxLength={100} {...typed} {...bound("city")} />
          <NativeSelect
            label={t.legalForm}
            data={[
              { value: "", label: t.all },
              ...Object.entries(forms).map(([value, label]) => ({ value, label })),
            ]}
            {...bound("legalForm")}
          />
          <NativeSelect
            label={t.status}
            data={[
              { value: "", label: t.all },
              { value: "true", label: t.statuses.true },
              { value: "false", label: t.statuses.false },
            ]}
            {...bound("isActive")}
          />
          {hasCourt ? (
            <NativeSelect
              label={t.insolvent}
              data={[
                { value: "", label: t.all },
                { value: "true", label: t.insolvencies.true },
                { value: "false", label: t.insolvencies.false },
              ]}
              {...bound("insolvent")}
            />
          ) : null}
          <TextInput
            label={t.postalCode}
            description={t.postalCodeAbout}
            error={isChecked && faults.postalCode}
            {...code}
            {...bound("postalCode")}
          />
          <ActivityPicker
            value={fields.sbiCode}
            onChange={(sbiCode, sbiVersion = fields.sbiVersion) =>
              setFields({ ...fields, sbiCode, sbiVersion })
            }
            error={isChecked && faults.sbiCode}
          />
          <NativeSelect
            label={t.sbiVersion}
            data={[{ value: "", label: t.sbiBoth }, ...SBI_VERSIONS]}
            {...bound("sbiVersion")}
          />
          <NativeSelect
            label={t.pageSize}
            data={PAGE_SIZES.map(String)}
            value={String(fields.pageSize)}
            onChange={(event) => setFields({ ...fields, pageSize: Number(event.currentTarget.value) })}
          />
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={isBusy} rightSection={<Price of="search" />}>
            {t.search}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
