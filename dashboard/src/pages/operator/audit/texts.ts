import type { AuditKind } from "../../../../../src/contract/auditKinds.ts";
import { bilingual, type Pair } from "../../../language/bilingual.ts";

export const texts = bilingual({
  title: ["Audit log", "Auditlog"],
  about: [
    "Changes made by operators, here and on the command line, and accounts deleted by their holders. Entries are kept permanently, even for deleted accounts.",
    "Wijzigingen door beheerders, hier en op de opdrachtregel, en accounts die de houder zelf verwijderde. De regels blijven altijd bewaard, ook die van verwijderde accounts.",
  ],
  account: ["Account: email address or ID", "Account: e-mailadres of id"],
  kind: ["Action", "Handeling"],
  all: ["All", "Alle"],
  none: ["Nothing has been recorded yet.", "Er is nog niets vastgelegd."],
  noneFits: ["No entries match these filters.", "Niets gevonden met deze filters."],
  noAccount: [
    "No account has this address. A deleted account can be found by its ID.",
    "Geen account heeft dit adres. Een verwijderd account is te vinden met de id.",
  ],
  found: (count: string) => [`Entries: ${count}`, `Regels: ${count}`],
  foundMost: (count: string) => [
    `Entries: ${count} or more. Filter to see older ones.`,
    `Regels: ${count} of meer. Kies een filter om oudere te zien.`,
  ],
  pages: ["Pages of the audit log", "Pagina's van de auditlog"],
  terminal: ["Command line", "Opdrachtregel"],
  holder: ["Account holder", "Accounthouder"],
  columns: {
    at: ["Time", "Tijdstip"],
    by: ["By", "Door"],
    what: ["Action", "Handeling"],
    account: ["Account", "Account"],
  },
  on: ["On", "Aan"],
  off: ["Off", "Uit"],
  ended: (count: string) => [`${count} signed out`, `${count} uitgelogd`],
  kinds: {
    created: ["Account created", "Account aangemaakt"],
    tier: ["Plan changed", "Abonnement gewijzigd"],
    "plan request": ["Request settled", "Aanvraag afgehandeld"],
    suspended: ["Suspension", "Blokkade"],
    "kept suspension": ["Suspension of a deleted account", "Blokkade van een verwijderd account"],
    operator: ["Operator rights", "Beheerrechten"],
    deleted: ["Account deleted", "Account verwijderd"],
    invite: ["Invite created", "Uitnodiging aangemaakt"],
    "password link": ["Password link created", "Wachtwoordlink aangemaakt"],
    "two-factor": ["Two-factor sign-in", "Inloggen in twee stappen"],
    email: ["Email address changed", "E-mailadres gewijzigd"],
    note: ["Note changed", "Notitie gewijzigd"],
    "sessions ended": ["Signed out everywhere", "Overal uitgelogd"],
    "key made": ["Key created", "Sleutel aangemaakt"],
    "key changed": ["Key changed", "Sleutel gewijzigd"],
    "key revoked": ["Key revoked", "Sleutel ingetrokken"],
  } satisfies Record<AuditKind, Pair>,
});
