import { bilingual } from "../../../language/bilingual.ts";

/** The texts of the list view, in the order of its steps. */
export const texts = bilingual(
  {
    numbersOf: (count: number, written: string) => (count === 1 ? "1 number" : `${written} numbers`),
    take: {
      title: "Complete a list",
      about:
        "Look up a whole file at once, with KVK numbers or with only names and addresses: we add the KVK number, name, address and more to your own CSV or Excel file. The file itself stays in your browser; only the columns that are needed are sent.",
      drop: "Drop a CSV or Excel file here",
      or: "or",
      choose: "Choose file",
      paste: "Paste numbers, names or a table",
      pasteAbout: "One number or name per line, or rows copied from a spreadsheet.",
      read: "Read list",
      pasted: "Pasted list",
      reading: (name: string) => `Reading ${name}…`,
      opening: "Opening…",
      unread: "Your list couldn't be opened. It is safe, and so are its results.",
      elsewhere: "Your lists are open in another tab or window. Close that one to continue here.",
      again: "Try again",
    },
    refused: {
      tooLarge:
        "This list is too large. The maximum is 64 MB, 100,000 rows, 200 columns and 5 million cells. Split the list, or keep only the columns with the numbers, names and addresses.",
      binary: "This isn't a CSV or Excel file. Save your list as CSV or XLSX and try again.",
      oldExcel:
        "This workbook has a password or comes from an old version of Excel (.xls). Open it in Excel and save it as .xlsx without a password.",
      damaged:
        "This file can't be read. Open it in your spreadsheet program, save it as .xlsx and try again.",
      unavailable:
        "The part of the page that reads files couldn't be loaded. Check your connection and reload the page. Nothing is wrong with your file.",
      empty: "There is nothing in this file. Choose another one.",
    },
    plan: {
      sheet: "Sheet",
      column: "Column with the KVK numbers",
      columnNone: "Choose a column",
      byName: "Recognised by the column name. Not right? Choose another column.",
      byValues: "Recognised by the contents. Not right? Choose another column.",
      byNone: "We couldn't find a column with KVK numbers. Choose one yourself.",
      preview: "The first rows of the list",
      rows: "Rows",
      numbers: "Distinct KVK numbers",
      empty: "Rows without a number",
      short: (rows: string) => `In ${rows} the number has 7 digits: the leading zero has probably been lost.`,
      complete: "Restore the leading zeros",
      quoted: (text: string) => `“${text}”`,
      other: (rows: string, examples: string) =>
        `In ${rows} there is something other than a KVK number (${examples}). Such rows are left out, and the result says why.`,
      oneRow: "1 row",
      manyRows: (count: string) => `${count} rows`,
      what: "What to add",
      basic: "Name, postal code, city and whether it is active",
      everything: "Everything: full address, legal form, activities, trading names and VAT number",
      each: (price: string) => `${price} per company found`,
      price: (price: string) => `Costs ${price} at most. You pay only for companies that are found.`,
      enough: (left: string, after: string) =>
        `You have ${left} left this month; at least ${after} remain afterwards.`,
      runsOut: (left: string, numbers: string) =>
        `You have ${left} left this month: enough for at least the first ${numbers}. When your tokens run out, the list pauses and nothing is lost. It continues when you have tokens again.`,
      none: (left: string, day: string) =>
        `You have ${left} left this month, which is not enough to start. New tokens arrive on ${day}, or request a larger plan.`,
      start: "Look up list",
      another: "Choose another list",
      nothing: "This column has no KVK numbers. Choose another column.",
      nothingOnSheet: "This column has no KVK numbers. Choose another column or another sheet.",
      keeps:
        "Your file and the results stay in this browser until a week after the list is done, or until you sign out.",
    },
    run: {
      progress: "Progress of the list",
      done: (done: string, total: string) => `${done} of ${total} numbers looked up`,
      spent: "Tokens spent",
      slow: "This is taking a while: the service is busy, or the source of the data isn't answering. Anything without an answer is retried for about a day. You can close this page.",
      pause: { running: "Pause", stopping: "Pausing…", stopped: "Continue", done: "Continue" },
      again: (count: string) => `Retry ${count} without an answer`,
      xlsx: "Download as Excel",
      csv: "Download as CSV",
      discard: "Remove list",
      discardAsk: "Remove this list and its results?",
      discardYes: "Remove",
      discardNo: "Keep",
      sheet: "Choose another sheet",
      sheetAsk: "Choose another sheet? The results of this sheet will be removed: download them first.",
      saving: "Preparing…",
      savingFailed: "The file couldn't be created. Try the other format or a smaller list.",
      finished: "The list is done.",
      finishedWithout:
        "The list is done, but some numbers got no answer. That says nothing about those companies.",
      closes: "You can close this page: the list continues without it.",
      notKept: "This browser can't keep the list. Leave this page open until you have downloaded the result.",
      until: (day: string) => `The list waits until ${day}.`,
      stopped: {
        caller: "Paused. The results so far are below.",
        allowance:
          "Your tokens have run out. The list continues by itself when you have tokens again: next month, or with a larger plan. The results so far are below.",
        ended:
          "This list was ended before it was complete: it waited too long for tokens, or was cancelled. Continue to process the rest.",
        session: "You are no longer signed in. The list continues in the meantime; sign in to follow it.",
        forbidden:
          "Your account can't run this list right now: it is suspended, or your plan has no room for a list of this size. Use a smaller list or remove other lists. If that doesn't help, ask the operator of this service.",
        other:
          "Something went wrong on our side. Continue; if it happens again, report it to the operator of this service.",
      },
    },
    rows: {
      label: "The list, row by row",
      row: "Row",
      ended: "Deregistered",
      pages: "Pages of the list",
    },
  },
  {
    numbersOf: (count, written) => (count === 1 ? "1 nummer" : `${written} nummers`),
    take: {
      title: "Lijst aanvullen",
      about:
        "Zoek een heel bestand in één keer op, met KVK-nummers of met alleen namen en adressen: wij voegen KVK-nummer, naam, adres en meer toe aan uw eigen CSV- of Excelbestand. Het bestand zelf blijft in uw browser; alleen de kolommen die nodig zijn, worden verstuurd.",
      drop: "Sleep een CSV- of Excelbestand hierheen",
      or: "of",
      choose: "Bestand kiezen",
      paste: "Nummers, namen of een tabel plakken",
      pasteAbout: "Eén nummer of naam per regel, of rijen die u uit een spreadsheet hebt gekopieerd.",
      read: "Lijst inlezen",
      pasted: "Geplakte lijst",
      reading: (name) => `${name} wordt ingelezen…`,
      opening: "Wordt geopend…",
      unread: "Uw lijst kon niet worden geopend. De lijst en de resultaten zijn er nog.",
      elsewhere: "Uw lijsten zijn geopend in een ander tabblad of venster. Sluit dat om hier verder te gaan.",
      again: "Opnieuw proberen",
    },
    refused: {
      tooLarge:
        "Deze lijst is te groot. Het maximum is 64 MB, 100.000 rijen, 200 kolommen en 5 miljoen cellen. Splits de lijst of bewaar alleen de kolommen met nummers, namen en adressen.",
      binary: "Dit is geen CSV- of Excelbestand. Sla uw lijst op als CSV of XLSX en probeer het opnieuw.",
      oldExcel:
        "Deze werkmap heeft een wachtwoord of komt uit een oude versie van Excel (.xls). Open de werkmap in Excel en sla die zonder wachtwoord op als .xlsx.",
      damaged:
        "Dit bestand is niet te lezen. Open het in uw spreadsheetprogramma, sla het op als .xlsx en probeer het opnieuw.",
      unavailable:
        "Het deel van de pagina dat bestanden leest, kon niet worden geladen. Controleer uw verbinding en laad de pagina opnieuw. Met uw bestand is niets mis.",
      empty: "Dit bestand is leeg. Kies een ander bestand.",
    },
    plan: {
      sheet: "Blad",
      column: "Kolom met de KVK-nummers",
      columnNone: "Kies een kolom",
      byName: "Herkend aan de kolomnaam. Klopt het niet? Kies een andere kolom.",
      byValues: "Herkend aan de inhoud. Klopt het niet? Kies een andere kolom.",
      byNone: "We hebben geen kolom met KVK-nummers gevonden. Kies die zelf.",
      preview: "De eerste rijen van de lijst",
      rows: "Rijen",
      numbers: "Verschillende KVK-nummers",
      empty: "Rijen zonder nummer",
      short: (rows) => `In ${rows} heeft het nummer 7 cijfers: de voorloopnul is waarschijnlijk weggevallen.`,
      complete: "Voorloopnullen terugzetten",
      quoted: (text) => `‘${text}’`,
      other: (rows, examples) =>
        `In ${rows} staat iets anders dan een KVK-nummer (${examples}). Zulke rijen worden overgeslagen; in het resultaat staat waarom.`,
      oneRow: "1 rij",
      manyRows: (count) => `${count} rijen`,
      what: "Wat u wilt toevoegen",
      basic: "Naam, postcode, plaats en of het bedrijf actief is",
      everything: "Alles: volledig adres, rechtsvorm, activiteiten, handelsnamen en btw-nummer",
      each: (price) => `${price} per gevonden bedrijf`,
      price: (price) => `Kost maximaal ${price}. U betaalt alleen voor bedrijven die worden gevonden.`,
      enough: (left, after) => `U hebt deze maand nog ${left}; daarna blijven er minstens ${after} over.`,
      runsOut: (left, numbers) =>
        `U hebt deze maand nog ${left}: in elk geval genoeg voor de eerste ${numbers}. Zijn uw tokens op, dan pauzeert de lijst en gaat er niets verloren. Hij gaat verder zodra u weer tokens hebt.`,
      none: (left, day) =>
        `U hebt deze maand nog ${left}; dat is te weinig om te beginnen. Op ${day} krijgt u nieuwe tokens, of vraag een groter abonnement aan.`,
      start: "Lijst opzoeken",
      another: "Andere lijst kiezen",
      nothing: "In deze kolom staan geen KVK-nummers. Kies een andere kolom.",
      nothingOnSheet: "In deze kolom staan geen KVK-nummers. Kies een andere kolom of een ander blad.",
      keeps:
        "Uw bestand en de resultaten blijven in deze browser staan tot een week nadat de lijst klaar is, of tot u uitlogt.",
    },
    run: {
      progress: "Voortgang van de lijst",
      done: (done, total) => `${done} van ${total} nummers opgezocht`,
      spent: "Tokens verbruikt",
      slow: "Dit duurt even: het is druk, of de bron van de gegevens reageert niet. Wat geen antwoord krijgt, wordt ongeveer een dag lang opnieuw geprobeerd. U kunt deze pagina sluiten.",
      pause: { running: "Pauzeren", stopping: "Wordt gepauzeerd…", stopped: "Doorgaan", done: "Doorgaan" },
      again: (count) => `${count} zonder antwoord opnieuw proberen`,
      xlsx: "Downloaden als Excel",
      csv: "Downloaden als CSV",
      discard: "Lijst verwijderen",
      discardAsk: "Deze lijst en de resultaten verwijderen?",
      discardYes: "Verwijderen",
      discardNo: "Behouden",
      sheet: "Ander blad kiezen",
      sheetAsk: "Een ander blad kiezen? De resultaten van dit blad worden dan verwijderd: download ze eerst.",
      saving: "Wordt gemaakt…",
      savingFailed: "Het bestand kon niet worden gemaakt. Probeer het andere formaat, of een kleinere lijst.",
      finished: "De lijst is klaar.",
      finishedWithout:
        "De lijst is klaar, maar een aantal nummers kreeg geen antwoord. Dat zegt niets over die bedrijven.",
      closes: "U kunt deze pagina sluiten: de lijst loopt door.",
      notKept:
        "Deze browser kan de lijst niet bewaren. Laat deze pagina open tot u het resultaat hebt gedownload.",
      until: (day) => `De lijst wacht tot ${day}.`,
      stopped: {
        caller: "Gepauzeerd. De resultaten tot nu toe staan hieronder.",
        allowance:
          "Uw tokens zijn op. De lijst gaat vanzelf verder zodra u weer tokens hebt: volgende maand, of met een groter abonnement. De resultaten tot nu toe staan hieronder.",
        ended:
          "Deze lijst is beëindigd voordat hij compleet was: hij wachtte te lang op tokens of is geannuleerd. Ga verder om de rest te verwerken.",
        session: "U bent niet meer ingelogd. De lijst loopt ondertussen door; log in om hem te volgen.",
        forbidden:
          "Uw account kan deze lijst nu niet uitvoeren: het is geblokkeerd, of uw abonnement heeft geen ruimte voor zo'n grote lijst. Gebruik een kleinere lijst of verwijder andere lijsten. Helpt dat niet, vraag het dan aan de beheerder van deze dienst.",
        other:
          "Er ging bij ons iets mis. Ga verder; gebeurt het opnieuw, meld het dan aan de beheerder van deze dienst.",
      },
    },
    rows: {
      label: "De lijst, rij voor rij",
      row: "Rij",
      ended: "Uitgeschreven",
      pages: "Pagina's van de lijst",
    },
  },
);
