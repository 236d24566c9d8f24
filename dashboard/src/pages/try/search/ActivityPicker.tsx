import { Autocomplete } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { type FoundActivity, findActivities } from "../../../api/publicApi.ts";
import { useTexts } from "../../../language/language.tsx";
import { texts } from "./texts.ts";

const WAIT_MS = 250;

interface Props {
  readonly value: string;
  /** @param sbiVersion set when a code was chosen from the list */
  readonly onChange: (sbiCode: string, sbiVersion?: string) => void;
  readonly error: ReactNode;
}

/** The field of the SBI code: digits, or words that show codes to choose from. */
export function ActivityPicker({ value, onChange, error }: Props) {
  const t = useTexts(texts);
  const [found, setFound] = useState<readonly FoundActivity[]>([]);
  useEffect(() => {
    const q = value.trim();
    const aborting = new AbortController();
    const show = (results: readonly FoundActivity[]) => {
      if (!aborting.signal.aborted) setFound(results);
    };
    // Without the list a code can still be typed.
    const find = () => void findActivities(q, aborting.signal).then(show, () => show([]));
    const timer = q.length < 2 ? undefined : setTimeout(find, WAIT_MS);
    if (timer === undefined) show([]);
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [value]);
  const options = found.map((one) => ({ ...one, value: `${one.sbiCode} ${one.sbiVersion}` }));
  return (
    <Autocomplete
      label={t.sbiCode}
      description={t.sbiCodeAbout}
      inputWrapperOrder={["label", "input", "description", "error"]}
      autoComplete="off"
      spellCheck={false}
      maxLength={100}
      error={error}
      value={value}
      data={options.map((one) => ({ value: one.value, label: one.value }))}
      filter={({ options: all }) => all}
      renderOption={({ option }) => {
        const one = options.find((other) => other.value === option.value);
        return one === undefined
          ? option.value
          : `${one.description} · ${one.sbiCode} · SBI ${one.sbiVersion}`;
      }}
      onChange={(typed) => {
        const chosen = options.find((one) => one.value === typed);
        if (chosen === undefined) onChange(typed);
        else onChange(chosen.sbiCode, chosen.sbiVersion);
      }}
    />
  );
}
