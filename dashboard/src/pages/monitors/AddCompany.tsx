import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { AutocompleteItem } from "../../../../src/contract/resources.ts";
import { addMonitors } from "../../api/monitors.ts";
import { Notice } from "../../components/Notice.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { CompanyBox, kvkNumberIn } from "../try/find/CompanyBox.tsx";
import { texts as findTexts } from "../try/find/texts.ts";
import { useChosenCompany } from "../try/find/useChosenCompany.ts";
import { useTypingSession } from "../try/find/useTypingSession.ts";
import { AddList } from "./AddList.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly onAdded: () => void;
}

/** The result of adding one company. */
type Outcome = { readonly added: string } | { readonly error: "noCompany" | "overLimit" };

/** Adds a company by name or number, or a list of numbers. */
export function AddCompany({ onAdded }: Props) {
  const t = useTexts(texts);
  const { about, none } = useTexts(findTexts);
  const company = useChosenCompany();
  const typing = useTypingSession();
  const { typed, chosen } = company;
  const [outcome, setOutcome] = useState<Outcome>();
  const number = chosen?.kvkNumber ?? kvkNumberIn(typed);
  const adding = useMutation(async (kvkNumber: string, name?: string) => {
    setOutcome(undefined);
    const { results, failed } = await addMonitors([kvkNumber], {});
    if (results.length === 0) {
      return setOutcome({ error: failed[0]?.error.code === "FORBIDDEN" ? "overLimit" : "noCompany" });
    }
    setOutcome({ added: name ?? kvkNumber });
    company.onType("");
    typing.end();
    onAdded();
  });
  const forget = () => {
    setOutcome(undefined);
    adding.forget();
  };
  const choose = (item: AutocompleteItem) => {
    company.onChoose(item);
    typing.end();
    forget();
  };
  return (
    <Section title={t.add} about={t.addAbout}>
      <CompanyBox
        {...company}
        onType={(text) => {
          if (text.trim() === "") typing.end();
          company.onType(text);
          forget();
        }}
        onChoose={choose}
        onLookUp={(kvkNumber) => void adding.run(kvkNumber, chosen?.name)}
        ask={typing.suggest}
        about={about}
        none={none}
      />
      <Group>
        <Button
          disabled={number === undefined}
          loading={adding.isBusy}
          onClick={() => number !== undefined && void adding.run(number, chosen?.name)}
        >
          {t.addButton}
        </Button>
      </Group>
      <Problem failure={adding.failure} />
      {outcome === undefined ? null : (
        <Notice tone={"added" in outcome ? "good" : "warning"}>
          {"added" in outcome ? t.added(outcome.added) : t[outcome.error]}
        </Notice>
      )}
      <AddList onAdded={onAdded} />
    </Section>
  );
}
