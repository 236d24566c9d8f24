import { CHANGE_TYPES, type ChangeType, USUAL_CHANGE_TYPES } from "../../../../src/contract/eventTypes.ts";
import type { MonitorSettings } from "../../../../src/contract/monitors.ts";
import { Figures } from "../../components/Figures.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { sourceName } from "../../language/sources.ts";
import type { Query } from "../../queries/useQuery.ts";
import { changeTexts, listOfTypes } from "./changeTexts.ts";
import { texts } from "./texts.ts";

/** Shorter rounds are not shown. */
const MIN_ROUND_SECONDS = 86_400;

/** The changes that the sources of this service report, the changes that none reports, and when a change can appear. */
export function useCoverage({ sources }: Pick<MonitorSettings, "sources"> = { sources: [] }) {
  const t = useTexts(texts);
  const { types } = useTexts(changeTexts);
  const { language } = useLanguage();
  const isReported = (type: ChangeType) => sources.some(({ reports }) => reports.includes(type));
  const missing = USUAL_CHANGE_TYPES.filter((type) => !isReported(type));
  return {
    reported: listOfTypes(CHANGE_TYPES.filter(isReported), language),
    missing: missing.length === 0 ? "" : t.notReported(listOfTypes(missing, language)),
    whenSeen: sources.some(({ source }) => source.startsWith("kvk")) ? t.whenKvk : t.whenLoaded,
    nameOf: (type: ChangeType) => (isReported(type) ? types[type] : t.noSource(types[type])),
  };
}

/** The sources of this service, the date of their newest data, and what they can report. */
export function Sources({ settings }: { readonly settings: Query<MonitorSettings> }) {
  const t = useTexts(texts);
  const { language, formats } = useLanguage();
  const { whenSeen, missing } = useCoverage(settings.value);
  return (
    <Section title={t.sources} about={`${whenSeen} ${missing}`}>
      <Loaded query={settings} height={160}>
        {({ sources }) => (
          <Figures
            head={[t.source, t.lastData, t.columns.events]}
            figures={0}
            rows={sources.map(({ source, lastDataAt, roundSeconds = 0, reports }) => [
              sourceName(source, language),
              (lastDataAt === undefined ? "–" : formats.day(lastDataAt)) +
                (roundSeconds < MIN_ROUND_SECONDS ? "" : ` (${t.round(formats.duration(roundSeconds))})`),
              listOfTypes(reports, language),
            ])}
          />
        )}
      </Loaded>
    </Section>
  );
}
