import { MAX_FOLLOWERS, SESSION_SECONDS } from "../../../../../src/contract/typingSession.ts";
import { bilingual } from "../../../language/bilingual.ts";

export const texts = bilingual({
  label: ["Name or KVK number", "Naam of KVK-nummer"],
  about: [
    `Suggestions appear as you type. Finding one company costs 1 token: up to ${MAX_FOLLOWERS + 1} calls within ${SESSION_SECONDS / 60} minutes.`,
    `Tijdens het typen verschijnen suggesties. Eén bedrijf zoeken kost 1 token: tot ${MAX_FOLLOWERS + 1} aanroepen binnen ${SESSION_SECONDS / 60} minuten.`,
  ],
  placeholder: ["Bakkerij…", "Bakkerij…"],
  none: [
    "No company found. Try fewer letters, another spelling or the full KVK number.",
    "Geen bedrijf gevonden. Probeer minder letters, een andere spelling of het volledige KVK-nummer.",
  ],
  typed: (calls: number, tokens: number) => [
    `Suggestions as you type: ${calls === 1 ? "1 call" : `${calls} calls`}, ${tokens === 1 ? "1 token" : `${tokens} tokens`} in total.`,
    `Suggesties tijdens het typen: ${calls === 1 ? "1 aanroep" : `${calls} aanroepen`}, samen ${tokens === 1 ? "1 token" : `${tokens} tokens`}.`,
  ],
  noSuggestions: [
    "There are no suggestions right now. The company may still exist.",
    "Er zijn nu geen suggesties. Het bedrijf kan wel bestaan.",
  ],
  searching: ["Searching…", "Zoeken…"],
  mark: [
    "Choose one of the suggestions: click it, or mark it with the arrow keys and press Enter.",
    "Kies een van de suggesties: klik erop, of wijs er een aan met de pijltjestoetsen en druk op Enter.",
  ],
  withZero: (number: string) => [`Use ${number}`, `${number} gebruiken`],
  ended: ["Deregistered", "Uitgeschreven"],
  also: (name: string) => [`also known as ${name}`, `ook bekend als ${name}`],
  choose: [
    "Choose a company from the suggestions, or type its KVK number of eight digits.",
    "Kies een bedrijf uit de suggesties of typ het KVK-nummer van acht cijfers.",
  ],
  isVat: [
    "This looks like a VAT number. This box finds companies by name or KVK number.",
    "Dit lijkt een btw-nummer. Hier zoekt u op naam of KVK-nummer.",
  ],
  checkVat: ["Check VAT number", "Btw-nummer controleren"],
  basic: ["Look up", "Opzoeken"],
  enriched: ["Enriched lookup", "Uitgebreid opzoeken"],
  branches: ["Branches", "Vestigingen"],
  address: ["Address", "Adres"],
  active: ["Active", "Actief"],
  branchName: ["Branch", "Vestiging"],
  branchNumber: ["Number", "Nummer"],
  branchState: ["Status", "Status"],
  mainBranch: ["Main branch", "Hoofdvestiging"],
  noBranches: [
    "The registry has no branches for this company.",
    "Het register heeft geen vestigingen van dit bedrijf.",
  ],
  branchesOf: (name: string) => [`Branches of ${name}`, `Vestigingen van ${name}`],
});
