import { useCallback, useState } from "react";
import type { AutocompleteItem } from "../../../../../src/contract/resources.ts";

export interface ChosenCompany {
  readonly typed: string;
  /** The company that what is typed stands for: typing on unchooses it. */
  readonly chosen: AutocompleteItem | undefined;
  readonly onType: (text: string) => void;
  readonly onChoose: (item: AutocompleteItem) => void;
}

/** What is typed and chosen in a {@link CompanyBox}. */
export function useChosenCompany(): ChosenCompany {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<AutocompleteItem>();
  const onType = useCallback((text: string) => {
    setTyped(text);
    setChosen(undefined);
  }, []);
  const onChoose = useCallback((item: AutocompleteItem) => {
    setTyped(item.name);
    setChosen(item);
  }, []);
  return { typed, chosen, onType, onChoose };
}
