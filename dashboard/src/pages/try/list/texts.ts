import { bilingual } from "../../../language/bilingual.ts";

/** The texts of the list view, in the order of its steps. */
export const texts = bilingual({
  take: {
    title: ["Complete a list", "Lijst aanvullen"],
    about: [
      "Look up a whole file at once, with KVK numbers, names and addresses, or both: we add the KVK number, name, address and more to your own CSV or Excel file. The file itself stays in your browser; only the columns that are needed are sent.",
      "Zoek een heel bestand in één keer op, met KVK-nummers, met namen en adressen, of met allebei: wij voegen KVK-nummer, naam, adres en meer toe aan uw eigen CSV- of Excelbestand. Het bestand zelf blijft in uw browser; alleen de kolommen die nodig zijn, worden verstuurd.",
    ],
    drop: ["Drop a CSV or Excel file here", "Sleep een CSV- of Excelbestand hierheen"],
    or: ["or", "of"],
    choose: ["Choose file", "Bestand kiezen"],
    paste: ["Paste numbers, names or a table", "Nummers, namen of een tabel plakken"],
    pasteAbout: [
      "One number or name per line, or rows copied from a spreadsheet.",
      "Eén nummer of naam per regel, of rijen die u uit een spreadsheet hebt gekopieerd.",
    ],
    read: ["Read list", "Lijst inlezen"],
    pasted: ["Pasted list", "Geplakte lijst"],
    reading: (name: string) => [`Reading ${name}…`, `${name} wordt ingelezen…`],
    opening: ["Opening…", "Wordt geopend…"],
    unread: [
      "Your list couldn't be opened. It is safe, and so are its results.",
      "Uw lijst kon niet worden geopend. De lijst en de resultaten zijn er nog.",
    ],
    elsewhere: [
      "Your lists are open in another tab or window. Close that one to continue here.",
      "Uw lijsten zijn geopend in een ander tabblad of venster. Sluit dat om hier verder te gaan.",
    ],
    again: ["Try again", "Opnieuw proberen"],
  },
  refused: {
    tooLarge: [
      "This list is too large. The maximum is 64 MB, 100,000 rows, 200 columns and 5 million cells. Split the list, or keep only the columns with the numbers, names and addresses.",
      "Deze lijst is te groot. Het maximum is 64 MB, 100.000 rijen, 200 kolommen en 5 miljoen cellen. Splits de lijst of bewaar alleen de kolommen met nummers, namen en adressen.",
    ],
    binary: [
      "This isn't a CSV or Excel file. Save your list as CSV or XLSX and try again.",
      "Dit is geen CSV- of Excelbestand. Sla uw lijst op als CSV of XLSX en probeer het opnieuw.",
    ],
    oldExcel: [
      "This workbook has a password or comes from an old version of Excel (.xls). Open it in Excel and save it as .xlsx without a password.",
      "Deze werkmap heeft een wachtwoord of komt uit een oude versie van Excel (.xls). Open de werkmap in Excel en sla die zonder wachtwoord op als .xlsx.",
    ],
    damaged: [
      "This file can't be read. Open it in your spreadsheet program, save it as .xlsx and try again.",
      "Dit bestand is niet te lezen. Open het in uw spreadsheetprogramma, sla het op als .xlsx en probeer het opnieuw.",
    ],
    unavailable: [
      "The part of the page that reads files couldn't be loaded. Check your connection and reload the page. Nothing is wrong with your file.",
      "Het deel van de pagina dat bestanden leest, kon niet worden geladen. Controleer uw verbinding en laad de pagina opnieuw. Met uw bestand is niets mis.",
    ],
    empty: [
      "There is nothing in this file. Choose another one.",
      "Dit bestand is leeg. Kies een ander bestand.",
    ],
  },
  plan: {
    sheet: ["Sheet", "Blad"],
    preview: ["The first rows of the list", "De eerste rijen van de lijst"],
    rows: ["Rows", "Rijen"],
    numbers: ["KVK numbers to look up", "Op te zoeken KVK-nummers"],
    short: (rows: string) => [
      `In ${rows} the number has 7 digits: the leading zero has probably been lost.`,
      `In ${rows} heeft het nummer 7 cijfers: de voorloopnul is waarschijnlijk weggevallen.`,
    ],
    complete: ["Restore the leading zeros", "Voorloopnullen terugzetten"],
    quoted: (text: string) => [`“${text}”`, `‘${text}’`],
    other: (rows: string, examples: string) => [
      `In ${rows} there is something other than a KVK number (${examples}). It is ignored: such rows are matched by their name or address. Without one they are skipped, and the result says why.`,
      `In ${rows} staat iets anders dan een KVK-nummer (${examples}). Dat gebruiken we niet: we koppelen zulke rijen op naam of adres. Ontbreken die ook, dan slaan we de rij over; in het resultaat staat waarom.`,
    ],
    what: [
      "What to add to the rows with a KVK number",
      "Wat u aan de rijen met een KVK-nummer wilt toevoegen",
    ],
    each: (price: string) => [`${price} per company found`, `${price} per gevonden bedrijf`],
    eachAnswer: (price: string) => [`${price} per answer, yes or no`, `${price} per antwoord, ja of nee`],
    kept: ["Tokens to keep for other use", "Tokens overhouden voor ander gebruik"],
    keptAbout: [
      "The list pauses before it uses these, so that your keys in production keep working.",
      "De lijst pauzeert voordat hij deze tokens gebruikt. Zo blijven uw sleutels in productie werken.",
    ],
    uses: (total: string, left: string, isMaximum: boolean) => [
      `Uses ${isMaximum ? "up to " : ""}${total} of the ${left} you have left this month.`,
      `Gebruikt ${isMaximum ? "maximaal " : ""}${total} van de ${left} die u deze maand nog hebt.`,
    ],
    priceOfNumbers: [
      "A number that isn't in the registry costs nothing.",
      "Een nummer dat niet in het register staat, kost niets.",
    ],
    priceOfPeppol: ["A number without an answer costs nothing.", "Een nummer zonder antwoord kost niets."],
    priceOfRows: [
      "Each row to match costs 1 token, even if no company fits.",
      "Elke te koppelen rij kost 1 token, ook als er geen bedrijf bij past.",
    ],
    enough: (after: string) => [
      `At least ${after} remain afterwards.`,
      `Daarna blijven er minstens ${after} over.`,
    ],
    pauses: (total: string) => [
      `That is not enough for the whole list, which needs up to ${total}: it pauses when they are used, and nothing is lost.`,
      `Dat is te weinig voor de hele lijst, die maximaal ${total} nodig heeft: als ze op zijn, pauzeert de lijst en gaat er niets verloren.`,
    ],
    usesAll: (day: string) => [
      `Calls with your keys are then refused too, until ${day}: keep some tokens if a key is in use.`,
      `Ook aanroepen met uw sleutels worden dan geweigerd, tot ${day}: houd tokens over als er een sleutel in gebruik is.`,
    ],
    start: ["Complete list", "Lijst aanvullen"],
    another: ["Choose another list", "Andere lijst kiezen"],
    nothing: [
      "No row has a name, a number, or a postal code with a house number in these columns. Choose other columns.",
      "In deze kolommen heeft geen enkele rij een naam, een nummer, of een postcode met huisnummer. Kies andere kolommen.",
    ],
    nothingOnSheet: [
      "No row has a name, a number, or a postal code with a house number in these columns. Choose other columns or another sheet.",
      "In deze kolommen heeft geen enkele rij een naam, een nummer, of een postcode met huisnummer. Kies andere kolommen of een ander blad.",
    ],
    keeps: [
      "Your file and the results stay in this browser until a week after the list is done, or until you sign out.",
      "Uw bestand en de resultaten blijven in deze browser staan tot een week nadat de lijst klaar is, of tot u uitlogt.",
    ],
  },
  run: {
    progress: ["Progress of the list", "Voortgang van de lijst"],
    done: (done: string, total: string) => [`${done} of ${total} processed`, `${done} van ${total} verwerkt`],
    spent: ["Tokens spent", "Tokens verbruikt"],
    slow: [
      "This is taking a while: the service is busy, or the source of the data isn't answering. Anything without an answer is retried for about a day. You can close this page.",
      "Dit duurt even: het is druk, of de bron van de gegevens reageert niet. Wat geen antwoord krijgt, wordt ongeveer een dag lang opnieuw geprobeerd. U kunt deze pagina sluiten.",
    ],
    pause: {
      running: ["Pause", "Pauzeren"],
      stopping: ["Pausing…", "Wordt gepauzeerd…"],
      stopped: ["Continue", "Doorgaan"],
      done: ["Continue", "Doorgaan"],
    },
    again: (count: string) => [
      `Retry ${count} without an answer`,
      `${count} zonder antwoord opnieuw proberen`,
    ],
    xlsx: ["Download as Excel", "Downloaden als Excel"],
    csv: ["Download as CSV", "Downloaden als CSV"],
    discard: ["Remove list", "Lijst verwijderen"],
    discardAsk: ["Remove this list and its results?", "Deze lijst en de resultaten verwijderen?"],
    discardYes: ["Remove", "Verwijderen"],
    discardNo: ["Keep", "Behouden"],
    sheet: ["Choose another sheet", "Ander blad kiezen"],
    sheetAsk: [
      "Choose another sheet? The results of this sheet will be removed: download them first.",
      "Een ander blad kiezen? De resultaten van dit blad worden dan verwijderd: download ze eerst.",
    ],
    saving: ["Preparing…", "Wordt gemaakt…"],
    savingFailed: [
      "The file couldn't be created. Try the other format or a smaller list.",
      "Het bestand kon niet worden gemaakt. Probeer het andere formaat, of een kleinere lijst.",
    ],
    finished: ["The list is done.", "De lijst is klaar."],
    finishedWithout: [
      "The list is done, but some rows got no answer. That says nothing about those companies.",
      "De lijst is klaar, maar een aantal rijen kreeg geen antwoord. Dat zegt niets over die bedrijven.",
    ],
    closes: [
      "You can close this page: the list continues without it.",
      "U kunt deze pagina sluiten: de lijst loopt door.",
    ],
    notKept: [
      "This browser can't keep the list. Leave this page open until you have downloaded the result.",
      "Deze browser kan de lijst niet bewaren. Laat deze pagina open tot u het resultaat hebt gedownload.",
    ],
    monitor: (count: string) => [`Monitor ${count}`, `${count} volgen`],
    companiesOf: (count: number, written: string) => [
      count === 1 ? "1 company" : `${written} companies`,
      count === 1 ? "1 bedrijf" : `${written} bedrijven`,
    ],
    monitorAsk: (companies: string) => [`Monitor ${companies}?`, `${companies} volgen?`],
    monitorAbout: [
      "These are the companies that were found or chosen in this list, each once. You hear when one of them changes; the prices are under Monitors.",
      "Dit zijn de bedrijven die in deze lijst zijn gevonden of gekozen, elk één keer. U krijgt bericht als er een verandert; de prijzen staan bij Monitoring.",
    ],
    toMonitors: ["To your monitors", "Naar Monitoring"],
    until: (day: string) => [`The list waits until ${day}.`, `De lijst wacht tot ${day}.`],
    stopped: {
      caller: [
        "Paused. The results so far are below.",
        "Gepauzeerd. De resultaten tot nu toe staan hieronder.",
      ],
      allowance: [
        "Your tokens have run out. The list continues by itself when you have tokens again: next month, or with a larger plan. The results so far are below.",
        "Uw tokens zijn op. De lijst gaat vanzelf verder zodra u weer tokens hebt: volgende maand, of met een groter abonnement. De resultaten tot nu toe staan hieronder.",
      ],
      cap: [
        "Paused: the list has used all tokens except those you keep. Continue to use these as well. The results so far are below.",
        "Gepauzeerd: de lijst heeft alle tokens gebruikt, behalve de tokens die u wilt overhouden. Ga verder om ook die te gebruiken. De resultaten tot nu toe staan hieronder.",
      ],
      ended: [
        "This list was ended before it was complete: it waited too long for tokens, or was cancelled. Continue to process the rest.",
        "Deze lijst is beëindigd voordat hij compleet was: hij wachtte te lang op tokens of is geannuleerd. Ga verder om de rest te verwerken.",
      ],
      session: [
        "You are no longer signed in. The list continues in the meantime; sign in to follow it.",
        "U bent niet meer ingelogd. De lijst loopt ondertussen door; log in om hem te volgen.",
      ],
      forbidden: [
        "Your account can't run this list right now: it is suspended, or your plan has no room for a list of this size. Use a smaller list or remove other lists. If that doesn't help, ask the operator of this service.",
        "Uw account kan deze lijst nu niet uitvoeren: het is geblokkeerd, of uw abonnement heeft geen ruimte voor zo'n grote lijst. Gebruik een kleinere lijst of verwijder andere lijsten. Helpt dat niet, vraag het dan aan de beheerder van deze dienst.",
      ],
      other: [
        "Something went wrong on our side. Continue; if it happens again, report it to the operator of this service.",
        "Er ging bij ons iets mis. Ga verder; gebeurt het opnieuw, meld het dan aan de beheerder van deze dienst.",
      ],
    },
  },
  rows: {
    label: ["The list, row by row", "De lijst, rij voor rij"],
    row: ["Row", "Rij"],
    ended: ["Deregistered", "Uitgeschreven"],
    pages: ["Pages of the list", "Pagina's van de lijst"],
  },
});
