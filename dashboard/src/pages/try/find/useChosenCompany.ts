import { useState } from "react";
import type { AutocompleteItem } from "../../../../../src/contract/resources.ts";

export interface ChosenCompany {
  readonly typed: string;
  /** The chosen company; undefined after further typing. */
  readonly chosen: AutocompleteItem | undefined;
  readonly onType: (text: string) => void;
  readonly onChoose: (item: AutocompleteItem) => void;
}

/** The state of a {@link CompanyBox}. */
export function useChosenCompany(): ChosenCompany {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<AutocompleteItem>();
  return {
    typed,
    chosen,
    onType: (text) => {
      setTyped(text);
      setChosen(undefined);
    },
    onChoose: (item) => {
      setTyped(item.name);
      setChosen(item);
    },
  };
}
