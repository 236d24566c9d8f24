import { Combobox, Group, Loader, Stack, Text, TextInput, useCombobox } from "@mantine/core";
import type { AutocompleteItem } from "../../../../../src/contract/resources.ts";
import { useTexts } from "../../../language/language.tsx";
import { CallProblem } from "../CallProblem.tsx";
import { texts } from "./texts.ts";
import { useSuggestions } from "./useSuggestions.ts";

interface Props {
  readonly typed: string;
  readonly chosen: AutocompleteItem | undefined;
  readonly onType: (typed: string) => void;
  readonly onChoose: (item: AutocompleteItem) => void;
}

/** A name that completes itself, as it would in a form of one's own. */
export function CompanyBox({ typed, chosen, onType, onChoose }: Props) {
  const t = useTexts(texts);
  const isNumber = /^[0-9]{8}$/.test(typed.trim());
  const suggestions = useSuggestions(typed, chosen === undefined && !isNumber);
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
  const { items, query, isLoading } = suggestions;
  const isShown = chosen === undefined && !isNumber && query !== "" && typed.trim().length > 1;
  const choose = (kvkNumber: string) => {
    const item = items.find((one) => one.kvkNumber === kvkNumber);
    if (item !== undefined) onChoose(item);
    box.closeDropdown();
  };
  return (
    <Stack gap="sm">
      <Combobox store={box} onOptionSubmit={choose} shadow="md">
        <Combobox.Target withExpandedAttribute>
          <TextInput
            size="md"
            label={t.label}
            description={t.about}
            placeholder={t.placeholder}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            rightSection={isLoading ? <Loader size={18} aria-label={t.searching} /> : null}
            onChange={(event) => {
              onType(event.currentTarget.value);
              box.openDropdown();
              box.resetSelectedOption();
            }}
            onFocus={() => box.openDropdown()}
            onBlur={() => box.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!isShown} className="surface">
          <Combobox.Options mah={340} className="options" aria-label={t.label}>
            {items.map((item) => (
              <Combobox.Option key={item.kvkNumber} value={item.kvkNumber}>
                <Suggestion item={item} />
              </Combobox.Option>
            ))}
            {items.length === 0 ? <Combobox.Empty>{isLoading ? t.searching : t.none}</Combobox.Empty> : null}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <CallProblem making={suggestions.making} answered={suggestions.answered} />
    </Stack>
  );
}

function Suggestion({ item }: { readonly item: AutocompleteItem }) {
  const t = useTexts(texts);
  const { name, city, kvkNumber, matchedName } = item;
  return (
    <Group justify="space-between" wrap="nowrap" gap="md">
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {[city, matchedName && t.also(matchedName)].filter(Boolean).join(", ")}
        </Text>
      </Stack>
      <Text size="xs" c="dimmed" ff="monospace">
        {kvkNumber}
      </Text>
    </Group>
  );
}
