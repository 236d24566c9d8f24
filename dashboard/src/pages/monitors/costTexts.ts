import { bilingual } from "../../language/bilingual.ts";

export const costTexts = bilingual(
  {
    month: "This month",
    monitors: "Monitors",
    ofLimit: (count: string, limit: string) => `${count} of ${limit}`,
    pending: "Waiting changes",
    spent: "Tokens spent on changes",
    cap: "Maximum tokens for changes per month",
    capAbout: "Optional. Further changes wait until the next month (UTC) or a higher maximum.",
    capWrong: "Enter a whole number, or leave it empty.",
    capSaved: "Saved.",
    digest: "Weekly email",
    digestAbout: "A summary of the changes of the past week; none in a week without changes.",
    digestOn: "Email me every week",
    digestNone: "This service doesn’t send email.",
  },
  {
    month: "Deze maand",
    monitors: "Gevolgde bedrijven",
    ofLimit: (count, limit) => `${count} van ${limit}`,
    pending: "Wachtende wijzigingen",
    spent: "Tokens voor wijzigingen",
    cap: "Maximumaantal tokens voor wijzigingen per maand",
    capAbout: "Optioneel. Verdere wijzigingen wachten tot de volgende maand (UTC) of een hoger maximum.",
    capWrong: "Vul een heel getal in of laat het leeg.",
    capSaved: "Opgeslagen.",
    digest: "Wekelijkse e-mail",
    digestAbout:
      "Een samenvatting van de wijzigingen van de afgelopen week; geen e-mail in een week zonder wijzigingen.",
    digestOn: "Elke week een e-mail sturen",
    digestNone: "Deze dienst verstuurt geen e-mail.",
  },
);
