import { Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Employees } from "../../../../../src/contract/employeesResource.ts";
import type { Company } from "../../../../../src/contract/resources.ts";
import { bodyOf, checkPeppol } from "../../../api/publicApi.ts";
import { Facts } from "../../../components/Facts.tsx";
import { FocusedResult, FocusedTitle } from "../../../components/FocusedResult.tsx";
import { addressLine } from "../../../language/addressLine.ts";
import { bilingual } from "../../../language/bilingual.ts";
import { insolvencyLines } from "../../../language/insolvency.ts";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { legalForms } from "../../../language/legalForms.ts";
import { leiStatuses } from "../../../language/leiStatuses.ts";
import { peppolLines } from "../../../language/peppol.ts";
import { sourceName } from "../../../language/sources.ts";
import { useMutation } from "../../../queries/useMutation.ts";
import { useSession } from "../../../session/session.tsx";
import { CallProblem } from "../CallProblem.tsx";
import { Price, useTokenMeter } from "../tokenMeter.tsx";
import { VatVerdict } from "../vat/VatVerdict.tsx";
import { texts as shared } from "./texts.ts";

const texts = bilingual({
  fields: {
    kvkNumber: ["KVK number", "KVK-nummer"],
    address: ["Address", "Adres"],
    location: ["Location", "Locatie"],
    bagId: ["BAG ID", "BAG-id"],
    legalForm: ["Legal form", "Rechtsvorm"],
    started: ["Business began", "Gestart"],
    registered: ["Registered", "Ingeschreven"],
    deregistered: ["Deregistered", "Uitgeschreven"],
    deregisters: ["Will be deregistered", "Wordt uitgeschreven"],
    tradingNames: ["Trading names", "Handelsnamen"],
    activities: ["Activities", "Activiteiten"],
    employees: ["Employees", "Werkzame personen"],
    websites: ["Websites", "Websites"],
    vat: ["VAT number", "Btw-nummer"],
    peppol: ["E-invoices (Peppol)", "E-facturen (Peppol)"],
    insolvency: ["Insolvency", "Insolventie"],
    lei: ["LEI", "LEI"],
    euid: ["EUID", "EUID"],
    source: ["Source", "Bron"],
  },
  openDataFields: { activities: ["activities", "activiteiten"], startDate: ["start date", "startdatum"] },
  sourceOf: (names: string) => [`Source of ${names}`, `Bron van ${names}`],
  shielded: ["Shielded by the registry", "Afgeschermd in het register"],
  fullTime: (people: string) => [`${people} full-time`, `${people} voltijd`],
  partTime: (people: string) => [`${people} part-time`, `${people} deeltijd`],
  onMap: ["Show on a map", "Toon op de kaart"],
  renewal: (day: string) => [`to be renewed by ${day}`, `te verlengen uiterlijk ${day}`],
  main: ["main activity", "hoofdactiviteit"],
  asOf: (source: string, day: string) => [`${source}, as of ${day}`, `${source}, peildatum ${day}`],
  checkPeppol: ["Check on Peppol", "Controleren op Peppol"],
  noPeppol: [
    "Peppol isn’t answering right now; try again later. Nothing was charged.",
    "Peppol antwoordt nu niet; probeer het later opnieuw. Er is niets afgeschreven.",
  ],
  fiscalUnit: [
    "This number is derived from the RSIN. The company may belong to a VAT group, which has a number of its own.",
    "Dit nummer is afgeleid van het RSIN. Het bedrijf kan bij een fiscale eenheid horen, die een eigen nummer heeft.",
  ],
});

export function CompanyFields({ company }: { readonly company: Company }) {
  const t = useTexts(texts);
  const status = useTexts(shared);
  const forms = useTexts(legalForms);
  const statuses = useTexts(leiStatuses);
  const hasPeppol = useSession().value?.hasPeppol === true || company.peppol !== undefined;
  const { language, formats } = useLanguage();
  const { day, number } = formats;
  const { fields } = t;
  const { address, activities, vat, insolvency, source, legalForm, location, employees = {} } = company;
  const { lei, leiStatus, leiRenewalDue, euid } = company.identifiers ?? {};
  const leiLine = [lei, leiStatus && statuses[leiStatus], leiRenewalDue && t.renewal(day(leiRenewalDue))];
  const openData = source?.openData;
  const line = addressLine(address);
  const employeesLine = ({ total, fullTime, partTime }: Employees) =>
    [
      total === undefined ? undefined : number(total),
      fullTime === undefined ? undefined : t.fullTime(number(fullTime)),
      partTime === undefined ? undefined : t.partTime(number(partTime)),
    ]
      .filter((part) => part !== undefined)
      .join(" · ") || undefined;
  const mayHaveGroupNumber = vat?.origin === "rsin" && vat.valid === false;
  const vatShown = vat && (
    <Stack gap={2}>
      <VatVerdict vat={vat} />
      {mayHaveGroupNumber ? <Text size="sm">{t.fiscalUnit}</Text> : null}
    </Stack>
  );
  return (
    <Stack gap="md" data-testid="company">
      <Group gap="sm">
        <FocusedTitle>{company.name}</FocusedTitle>
        <Badge
          variant="light"
          tt="none"
          color={company.isActive ? "sea" : "gray"}
          className={company.isActive ? "badge live" : "badge revoked"}
        >
          {company.isActive ? status.active : status.ended}
        </Badge>
      </Group>
      <Facts
        facts={[
          [fields.kvkNumber, company.kvkNumber],
          [fields.address, [line, address.isShielded && t.shielded].filter(Boolean).join(" · ") || undefined],
          [fields.location, location && <MapLink to={location} />],
          [fields.bagId, company.bagId],
          [fields.legalForm, legalForm && forms[legalForm]],
          [fields.started, company.startDate && day(company.startDate)],
          [fields.registered, company.registrationDate && day(company.registrationDate)],
          [
            company.isActive ? fields.deregisters : fields.deregistered,
            company.deregistrationDate && day(company.deregistrationDate),
          ],
          [fields.tradingNames, company.tradingNames?.join(", ")],
          [fields.activities, activities?.length !== 0 && activities && <Activities of={activities} />],
          [fields.employees, employeesLine(employees)],
          [fields.websites, company.websites?.join(", ")],
          [fields.vat, vatShown],
          [fields.peppol, hasPeppol && <PeppolFact company={company} />],
          [
            fields.insolvency,
            insolvency && <Lines name="insolvency" of={insolvencyLines(insolvency, language, formats)} />,
          ],
          [fields.lei, leiLine.filter(Boolean).join(" · ") || undefined],
          [fields.euid, euid],
          [fields.source, source && t.asOf(sourceName(source.kvk, language), day(source.cachedAt))],
          [
            t.sourceOf(openData?.fields.map((field) => t.openDataFields[field]).join(", ") ?? ""),
            openData && t.asOf(sourceName("kvk-open-data", language), day(openData.observedAt)),
          ],
        ]}
      />
    </Stack>
  );
}

/** A link: nothing is requested from the map before a click, which does not say where it came from. */
function MapLink({ to: { latitude, longitude } }: { readonly to: NonNullable<Company["location"]> }) {
  const t = useTexts(texts);
  const url = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=18/${latitude}/${longitude}`;
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" inherit>
      {t.onMap}
    </Anchor>
  );
}

/** Whether a company is on Peppol. Only a person asks, because each answer costs a token. */
function PeppolFact({ company: { kvkNumber, peppol } }: { readonly company: Company }) {
  const t = useTexts(texts);
  const { language, formats } = useLanguage();
  const { count } = useTokenMeter();
  const [answer, setAnswer] = useState(peppol);
  const asking = useMutation(async () => setAnswer(bodyOf(count(await checkPeppol(kvkNumber)))));
  const { failure } = asking;
  if (answer !== undefined) {
    const lines = <Lines name="peppol" of={peppolLines(answer, language, formats)} />;
    return peppol === undefined ? <FocusedResult>{lines}</FocusedResult> : lines;
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        size="compact-sm"
        variant="default"
        loading={asking.isBusy}
        onClick={() => void asking.run()}
        rightSection={<Price of="peppol" />}
      >
        {t.checkPeppol}
      </Button>
      {failure === undefined ? null : (
        <FocusedResult>
          <CallProblem failure={failure} text={failure.code === "UPSTREAM_ERROR" ? t.noPeppol : undefined} />
        </FocusedResult>
      )}
    </Stack>
  );
}

function Lines({ name, of }: { readonly name: string; readonly of: readonly string[] }) {
  return (
    <Stack gap={2} data-testid={name}>
      {of.map((line) => (
        <Text key={line} inherit component="span">
          {line}
        </Text>
      ))}
    </Stack>
  );
}

function Activities({ of }: { readonly of: NonNullable<Company["activities"]> }) {
  const t = useTexts(texts);
  return (
    <Stack gap={2}>
      {of.map(({ sbiCode, sbiVersion, description, isMain }) => (
        <Text key={sbiCode} inherit component="span">
          {[description, sbiCode, sbiVersion && `SBI ${sbiVersion}`].filter(Boolean).join(" · ")}
          {isMain && of.length > 1 ? ` (${t.main})` : null}
        </Text>
      ))}
    </Stack>
  );
}
