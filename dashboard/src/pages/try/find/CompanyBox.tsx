import { Button, Combobox, Group, Loader, Stack, Text, TextInput, useCombobox } from "@mantine/core";
import { useState } from "react";
import { parseKvkNumberText } from "../../../../../src/contract/kvkNumberText.ts";
import type { AutocompleteItem } from "../../../../../src/contract/resources.ts";
import { MAX_QUERY_LENGTH } from "../../../../../src/contract/totals.ts";
import { Searched } from "../../../components/Searched.tsx";
import { hintText } from "../../../language/hints.ts";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { CallProblem } from "../CallProblem.tsx";
import { texts } from "./texts.ts";
import type { ChosenCompany } from "./useChosenCompany.ts";
import { type AskSuggestions, useSuggestions } from "./useSuggestions.ts";

interface Props extends ChosenCompany {
  /** Called by Enter for the chosen company or a whole number. */
  readonly onLookUp?: (kvkNumber: string) => void;
  readonly ask: AskSuggestions;
  readonly about: string;
  readonly none: string;
}

/** A VIES country code, then mostly digits. */
const VAT_NUMBER =
  /^(?:AT|B[EG]|C[YZ]|D[EK]|E[ELS]|F[IR]|GR|H[RU]|I[ET]|L[TUV]|MT|NL|P[LT]|RO|S[EIK]|XI)(?=(?:[A-Z]*[0-9]){5})[A-Z0-9]{5,12}$/;

/** Returns a text without separators if it looks like a VAT number. */
export function vatNumberIn(text: string): string | undefined {
  const compact = text.replace(/[\s./-]/g, "").toUpperCase();
  return VAT_NUMBER.test(compact) ? compact : undefined;
}

/** Returns the KVK number in a text, in any notation. */
export function kvkNumberIn(text: string): string | undefined {
  const read = parseKvkNumberText(text);
  return read.kind === "number" ? read.number : undefined;
}

/** A search box with suggestions. Enter takes the suggestion that a person marked, and never one by itself. */
export function CompanyBox({ typed, chosen, onType, onChoose, onLookUp, ask, about, none }: Props) {
  const t = useTexts(texts);
  const { language } = useLanguage();
  const number = kvkNumberIn(typed);
  const isName = chosen === undefined && number === undefined;
  const suggestions = useSuggestions(typed, isName, ask);
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
  const { items, query, isLoading, failure } = suggestions;
  const [entered, setEntered] = useState<string>();
  const isOpen = isName && query !== "" && typed.trim().length > 1;
  const isNone = isOpen && !isLoading && items.length === 0;
  const hasFailed = !isLoading && failure !== undefined;
  const read = parseKvkNumberText(typed);
  const short = read.kind === "short" ? read.number : undefined;
  const isMarkWanted = entered === typed && !isLoading && items.length > 0;
  const hint = isLoading ? undefined : suggestions.hint;
  const notes = [hint && hintText(hint, language), isMarkWanted ? t.mark : undefined];
  const note = notes.filter((one) => one !== undefined).join(" ");
  const choose = (kvkNumber: string) => {
    const item = items.find((one) => one.kvkNumber === kvkNumber);
    if (item !== undefined) onChoose(item);
    box.closeDropdown();
  };
  const enter = () => {
    const known = chosen?.kvkNumber ?? number;
    if (known !== undefined) onLookUp?.(known);
    else setEntered(typed);
  };
  return (
    <Stack gap="sm">
      <Combobox store={box} onOptionSubmit={choose} shadow="md" withinPortal={false}>
        <Combobox.Target withExpandedAttribute>
          <TextInput
            size="md"
            label={t.label}
            description={about}
            placeholder={t.placeholder}
            value={typed}
            autoComplete="off"
            maxLength={MAX_QUERY_LENGTH}
            spellCheck={false}
            rightSection={isLoading ? <Loader size={18} aria-label={t.searching} /> : null}
            onChange={(event) => {
              onType(event.currentTarget.value);
              box.openDropdown();
              box.resetSelectedOption();
            }}
            onKeyDown={(event) => {
              const isChoosing = box.dropdownOpened && box.getSelectedOptionIndex() !== -1;
              if (event.key === "Enter" && !event.nativeEvent.isComposing && !isChoosing) enter();
            }}
            onFocus={() => box.openDropdown()}
            onBlur={() => box.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!isOpen || isNone} className="surface">
          {note === "" || items.length === 0 ? null : (
            <Combobox.Header role="status">
              <Text size="sm">{note}</Text>
            </Combobox.Header>
          )}
          <Combobox.Options mah="min(340px, 40dvh)" className="options" aria-label={t.label}>
            {items.map((item) => (
              <Combobox.Option key={item.kvkNumber} value={item.kvkNumber}>
                <Option item={item} />
              </Combobox.Option>
            ))}
            {items.length === 0 ? <Combobox.Empty>{t.searching}</Combobox.Empty> : null}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {isOpen && hasFailed ? (
        <Stack gap={4} data-testid="no-suggestions">
          <CallProblem failure={failure} />
          <Text size="sm" c="dimmed">
            {t.noSuggestions}
          </Text>
        </Stack>
      ) : null}
      {isNone && !hasFailed ? (
        <Stack gap={4} align="flex-start" role="status">
          <Text size="sm">{note || none}</Text>
          {short === undefined ? null : (
            <Button size="compact-sm" variant="default" onClick={() => onType(short)}>
              {t.withZero(short)}
            </Button>
          )}
          <Searched />
        </Stack>
      ) : null}
    </Stack>
  );
}

function Option({ item }: { readonly item: AutocompleteItem }) {
  const t = useTexts(texts);
  const { name, city, kvkNumber, matchedName, isActive } = item;
  return (
    <Group justify="space-between" wrap="nowrap" gap="md">
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {[city, matchedName && t.also(matchedName), isActive === false && t.ended.toLowerCase()]
            .filter(Boolean)
            .join(", ")}
        </Text>
      </Stack>
      <Text size="xs" c="dimmed" ff="monospace" className="number">
        {kvkNumber}
      </Text>
    </Group>
  );
}
