/** Whether a company can receive e-invoices on the Peppol network. */
import { type Static, Type } from "typebox";
import { count, moment, resource, text, textOfForm, texts, word } from "./fields.ts";
import { KVK_NUMBER_PATTERN } from "./numbers.ts";

export const PEPPOL_STATUSES = ["reachable", "cannot_receive_invoices", "not_registered"] as const;
export type PeppolStatus = (typeof PEPPOL_STATUSES)[number];

/** The source of changes that monitors report. */
export const PEPPOL_ORIGIN = "peppol";

/** Answers are used this long while the network gives none, and then deleted. */
export const PEPPOL_STALE_FOR_MS = 30 * 86_400_000;

/** Maximum document types in `receives`. */
export const MAX_RECEIVED = 100;

const FIELDS = {
  status: word(
    PEPPOL_STATUSES,
    "`reachable`: it can receive invoices; `cannot_receive_invoices`: it is registered for other documents only; `not_registered`: the network has none of the numbers in `asked`. It may still be registered under another number, such as an OIN.",
  ),
  participantId: Type.Optional(
    text("The identifier under which it is registered: scheme and number.", "0106:51234567"),
  ),
  asked: texts(
    "The identifiers that the network was asked about: by KVK number (0106) or VAT number (9944).",
    ["0106:51234567"],
  ),
  receives: Type.Optional(
    texts(
      `The documents that it can receive: \`invoice\`, \`credit_note\`, and at most ${MAX_RECEIVED} others by their identifier. Absent if it is not registered.`,
      ["invoice", "credit_note"],
    ),
  ),
  accessPoint: Type.Optional(text("The host of its service metadata publisher (SMP).", "smp.example.com")),
  checkedAt: moment("When the network answered.", "2026-11-21T12:00:00.000Z"),
  ageSeconds: Type.Optional(
    count("Present if the network does not answer now and this is an earlier answer: its age.", 90_000),
  ),
};

export const PeppolSchema = resource(
  "Peppol",
  "Whether a company can receive e-invoices on Peppol. Absent when the network does not answer: that is not a no.",
  FIELDS,
);
export type Peppol = Static<typeof PeppolSchema>;

export const PeppolCheckSchema = resource(
  "PeppolCheck",
  "Whether a company can receive e-invoices on Peppol.",
  {
    kvkNumber: textOfForm(KVK_NUMBER_PATTERN, "KVK number: eight digits as text.", "51234567"),
    ...FIELDS,
  },
);
export type PeppolCheck = Static<typeof PeppolCheckSchema>;
