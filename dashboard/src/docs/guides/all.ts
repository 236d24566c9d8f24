import type { Bilingual } from "../../language/bilingual.ts";
import type { SnippetLanguage } from "../../snippets/snippets.ts";
import { autocomplete } from "./autocomplete.ts";
import { clients } from "./clients.ts";
import { errors } from "./errors.ts";
import { firstCall } from "./firstCall.ts";
import { limits } from "./limits.ts";
import { lists } from "./lists.ts";
import { models } from "./models.ts";
import { testKeys } from "./testKeys.ts";
import { vat } from "./vat.ts";

/** What a guide says: Markdown, with a line `{{name}}` for each example. */
interface GuideTexts {
  readonly title: string;
  readonly about: string;
  readonly body: string;
}

interface Guide {
  /** As the address has it. */
  readonly name: string;
  readonly texts: Bilingual<GuideTexts>;
}

/** The guides, in the order in which one reads them. */
export const GUIDES: readonly Guide[] = [
  { name: "first-call", texts: firstCall },
  { name: "test-keys", texts: testKeys },
  { name: "errors", texts: errors },
  { name: "vat", texts: vat },
  { name: "lists", texts: lists },
  { name: "autocomplete", texts: autocomplete },
  { name: "limits", texts: limits },
  { name: "clients", texts: clients },
  { name: "models", texts: models },
];

/** The address that stands for the service in the files of examples. */
export const SHOWN_ADDRESS = "https://opzoek.example";

/** What the name of an example's file ends in. */
export const ENDINGS: Readonly<Record<SnippetLanguage, string>> = {
  curl: "sh",
  javascript: "mjs",
  python: "py",
  php: "php",
  csharp: "cs",
};
