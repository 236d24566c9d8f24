import { bilingual } from "../../language/bilingual.ts";

export const costTexts = bilingual({
  month: ["This month", "Deze maand"],
  monitors: ["Monitors", "Gevolgde bedrijven"],
  ofLimit: (count: string, limit: string) => [`${count} of ${limit}`, `${count} van ${limit}`],
  pending: ["Waiting changes", "Wachtende wijzigingen"],
  spent: ["Tokens spent on changes", "Tokens voor wijzigingen"],
  cap: ["Maximum tokens for changes per month", "Maximumaantal tokens voor wijzigingen per maand"],
  capAbout: [
    "Optional. Further changes wait until the next month (UTC) or a higher maximum.",
    "Optioneel. Verdere wijzigingen wachten tot de volgende maand (UTC) of een hoger maximum.",
  ],
  capWrong: ["Enter a whole number, or leave it empty.", "Vul een heel getal in of laat het leeg."],
  capSaved: ["Saved.", "Opgeslagen."],
  digest: ["Weekly email", "Wekelijkse e-mail"],
  digestAbout: [
    "A summary of the changes of the past week; none in a week without changes.",
    "Een samenvatting van de wijzigingen van de afgelopen week; geen e-mail in een week zonder wijzigingen.",
  ],
  digestOn: ["Email me every week", "Elke week een e-mail sturen"],
  digestNone: ["This service doesn’t send email.", "Deze dienst verstuurt geen e-mail."],
});
