import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly label: string;
  readonly initial?: string;
  readonly onSearch: (typed: string) => void;
  readonly children?: ReactNode;
}

export function OperatorSearch({ label, initial = "", onSearch, children }: Props) {
  const t = useTexts(texts);
  const [typed, setTyped] = useState(initial);
  const search = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <form onSubmit={search}>
      <Group align="flex-end" gap="sm">
        <TextInput
          flex="1 1 14rem"
          type="search"
          label={label}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {children}
        <Button type="submit" variant="default">
          {t.find}
        </Button>
      </Group>
    </form>
  );
}
