import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Operation } from "../../../../../src/contract/prices.ts";
import type { AutocompleteItem, BranchList, Company } from "../../../../../src/contract/resources.ts";
import { bodyOf, branches, type Call, lookup, lookupEnriched } from "../../../api/publicApi.ts";
import { FocusedResult } from "../../../components/FocusedResult.tsx";
import { useTexts } from "../../../language/language.tsx";
import { useMutation } from "../../../queries/useMutation.ts";
import { linkTo } from "../../../router/router.ts";
import { CallFacts } from "../CallFacts.tsx";
import { CallProblem } from "../CallProblem.tsx";
import { Price, useTokenMeter } from "../tokenMeter.tsx";
import { Branches } from "./Branches.tsx";
import { CompanyBox, kvkNumberIn, vatNumberIn } from "./CompanyBox.tsx";
import { CompanyFields } from "./CompanyFields.tsx";
import { texts } from "./texts.ts";
import { useChosenCompany } from "./useChosenCompany.ts";
import { useTypingSession } from "./useTypingSession.ts";

type Found = Call<Company | BranchList>;

interface Props {
  /** A company to look up; a new object each time, even for the same company. */
  readonly opened: AutocompleteItem | undefined;
}

/** Finds a company by name or number, and looks up its basic or enriched data or its branches. */
export function FindCompany({ opened }: Props) {
  const t = useTexts(texts);
  const { count } = useTokenMeter();
  const company = useChosenCompany();
  const typing = useTypingSession(count);
  const { typed, chosen } = company;
  const [found, setFound] = useState<Found>();
  const kvkNumber = chosen?.kvkNumber ?? kvkNumberIn(typed);
  const calling = useMutation(async (ask: (kvkNumber: string) => Promise<Found>, number: string) => {
    setFound(undefined);
    const call = count(await ask(number));
    setFound(call);
    bodyOf(call);
  });
  const forget = () => {
    setFound(undefined);
    calling.forget();
  };
  const choose = (item: AutocompleteItem) => {
    company.onChoose(item);
    typing.end();
    forget();
  };
  const open = (item: AutocompleteItem) => {
    choose(item);
    void calling.run(lookup, item.kvkNumber);
  };
  const opening = useRef(open);
  opening.current = open;
  useEffect(() => {
    if (opened !== undefined) opening.current(opened);
  }, [opened]);
  const lookups: readonly (readonly [string, Operation, (kvkNumber: string) => Promise<Found>])[] = [
    [t.basic, "lookup", lookup],
    [t.enriched, "lookup.enriched", lookupEnriched],
    [t.branches, "branches", branches],
  ];
  const { failure } = calling;
  const body = found !== undefined && "body" in found.outcome ? found.outcome.body : undefined;
  return (
    <Stack gap="xl">
      <CompanyBox
        {...company}
        onType={(text) => {
          if (text.trim() === "") typing.end();
          company.onType(text);
          forget();
        }}
        onChoose={choose}
        onLookUp={(number) => void calling.run(lookup, number)}
        ask={typing.suggest}
        about={t.about}
        none={t.none}
      />
      {typing.calls === 0 ? null : (
        <Text size="sm" c="dimmed" role="status" data-testid="typing">
          {t.typed(typing.calls, typing.charged)}
        </Text>
      )}
      <Stack gap="xs">
        <Group gap="sm">
          {lookups.map(([label, operation, ask], index) => (
            <Button
              key={operation}
              variant={index === 0 ? "filled" : "default"}
              disabled={kvkNumber === undefined || calling.isBusy}
              onClick={() => kvkNumber && calling.run(ask, kvkNumber)}
              rightSection={<Price of={operation} />}
            >
              {label}
            </Button>
          ))}
        </Group>
        {kvkNumber === undefined ? (
          <Text size="sm" c="dimmed">
            {vatNumberIn(typed) === undefined ? (
              t.choose
            ) : (
              <>
                {t.isVat} <Anchor href={linkTo("try", "vat")}>{t.checkVat}</Anchor>
              </>
            )}
          </Text>
        ) : null}
      </Stack>
      {failure === undefined ? null : (
        <FocusedResult>
          <CallProblem failure={failure} />
        </FocusedResult>
      )}
      {found === undefined ? null : (
        <Stack gap="lg">
          {body === undefined ? null : "branches" in body ? (
            <Branches list={body} />
          ) : (
            <CompanyFields company={body} />
          )}
          <CallFacts of={found} />
        </Stack>
      )}
    </Stack>
  );
}
