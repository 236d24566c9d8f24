import { MONITOR_BOUNDS } from "../../../../src/contract/monitors.ts";
import { bilingual } from "../../language/bilingual.ts";

const DAYS = MONITOR_BOUNDS.webhookRetryDays;
const WEBHOOKS = MONITOR_BOUNDS.maxWebhooks;
const TESTS = MONITOR_BOUNDS.testsPerHour;
const WAITING = MONITOR_BOUNDS.maxWaitingTests;

export const texts = bilingual({
  title: ["Monitors", "Monitoring"],
  about: (types: string, missing: string) => [
    `Hear when something changes at companies that you follow. ${types && `Reported here: ${types}.`} ${missing} Monitors are free; each change costs 1 token, and waits if you have none left.`,
    `Hoor het als er iets verandert bij bedrijven die u volgt. ${types && `Hier wordt gemeld: ${types}.`} ${missing} Monitoring is gratis; elke wijziging kost 1 token en wacht als u er geen meer hebt.`,
  ],
  what: ["Parts of monitors", "Onderdelen van monitoring"],
  tabs: {
    companies: ["Companies", "Bedrijven"],
    events: ["Changes", "Wijzigingen"],
    webhooks: ["Webhooks", "Webhooks"],
    costs: ["Costs", "Kosten"],
  },
  suspended: [
    "All monitors are paused while the account is suspended. Changes are collected, and reported once it is active again.",
    "Alle monitoring is gepauzeerd zolang het account is geblokkeerd. Wijzigingen worden verzameld en gemeld zodra het weer actief is.",
  ],
  add: ["Monitor a company", "Bedrijf volgen"],
  addAbout: [
    "You hear about changes from now on. If a company is already known to be deregistered, that is reported once, for 1 token.",
    "U hoort vanaf nu van wijzigingen. Is al bekend dat een bedrijf is uitgeschreven, dan wordt dat één keer gemeld, voor 1 token.",
  ],
  addButton: ["Monitor company", "Bedrijf volgen"],
  added: (name: string) => [`${name} is monitored.`, `${name} wordt nu gevolgd.`],
  noCompany: [
    "There is no company with this number in the registry, so it can’t be monitored.",
    "Er staat geen bedrijf met dit nummer in het register, dus u kunt het niet volgen.",
  ],
  overLimit: [
    "You have as many monitors as your plan allows. Remove some, or request a larger plan.",
    "U volgt zoveel bedrijven als uw abonnement toestaat. Verwijder er enkele of vraag een groter abonnement aan.",
  ],
  addList: ["Monitor a list of KVK numbers", "Lijst met KVK-nummers volgen"],
  numbers: ["KVK numbers", "KVK-nummers"],
  numbersAbout: [
    "Up to 100,000. One per line, or rows copied from a spreadsheet.",
    "Maximaal 100.000. Eén per regel, of rijen uit een spreadsheet.",
  ],
  file: ["Choose CSV or Excel file", "CSV- of Excel-bestand kiezen"],
  fromFile: (name: string, count: string) => [
    `${name}: ${count} KVK numbers`,
    `${name}: ${count} KVK-nummers`,
  ],
  restored: (count: string) => [`Leading zeros restored: ${count}.`, `Voorloopnullen hersteld: ${count}.`],
  otherRows: (count: string) => [
    `Rows without a KVK number, left out: ${count}.`,
    `Rijen zonder KVK-nummer, overgeslagen: ${count}.`,
  ],
  noNumbers: [
    "No KVK numbers were found. Paste only the numbers, or choose another file.",
    "Geen KVK-nummers gevonden. Plak alleen de nummers of kies een ander bestand.",
  ],
  addListButton: ["Monitor companies", "Bedrijven volgen"],
  progress: ["Progress of the list", "Voortgang van de lijst"],
  done: (done: string, total: string) => [`${done} of ${total}`, `${done} van ${total}`],
  inBackground: [
    "You can close this page: the list continues without it.",
    "U kunt deze pagina sluiten: de lijst gaat gewoon door.",
  ],
  listDone: (added: string) => [`Companies that are monitored: ${added}.`, `Gevolgde bedrijven: ${added}.`],
  listFailed: (failed: string) => [
    `Not monitored: ${failed}. They are still in the box above.`,
    `Niet gevolgd: ${failed}. Ze staan nog in het veld hierboven.`,
  ],
  listRefused: [
    "Your plan has no room for a list of so many numbers now. Send fewer, or request a larger plan.",
    "Uw abonnement heeft nu geen ruimte voor een lijst met zoveel nummers. Verstuur er minder of vraag een groter abonnement aan.",
  ],
  list: ["Monitored companies", "Gevolgde bedrijven"],
  count: (monitors: string, limit: string) => [
    `${monitors} of at most ${limit} with your plan. If a later plan allows fewer, the newest are paused and their changes wait.`,
    `${monitors} van maximaal ${limit} met uw abonnement. Staat een later abonnement er minder toe, dan worden de nieuwste gepauzeerd en wachten hun wijzigingen.`,
  ],
  none: [
    "You don’t monitor a company yet. Find one above.",
    "U volgt nog geen bedrijf. Zoek er hierboven een.",
  ],
  paused: (paused: string) => [
    `Paused monitors: ${paused}. Your plan allows fewer monitors than you have, so the newest are paused. Their changes are collected and reported once they are active again: remove other monitors, or request a larger plan.`,
    `Gepauzeerd: ${paused}. U volgt meer bedrijven dan uw abonnement toestaat, daarom zijn de nieuwste gepauzeerd. Hun wijzigingen worden verzameld en gemeld zodra ze weer actief zijn: verwijder andere of vraag een groter abonnement aan.`,
  ],
  plans: ["See larger plans", "Grotere abonnementen bekijken"],
  pages: ["Pages of monitored companies", "Pagina's met gevolgde bedrijven"],
  columns: {
    company: ["Company", "Bedrijf"],
    status: ["Company status", "Status bedrijf"],
    monitor: ["Monitor", "Monitoring"],
    events: ["Reports", "Meldt"],
    actions: ["Actions", "Acties"],
  },
  source: ["Source", "Bron"],
  lastData: ["Last new data", "Laatste nieuwe gegevens"],
  find: ["Search by name, number or city", "Zoeken op naam, nummer of plaats"],
  show: ["Show", "Tonen"],
  showing: {
    all: ["All", "Alle"],
    active: ["Active companies", "Actieve bedrijven"],
    ended: ["Deregistered companies", "Uitgeschreven bedrijven"],
    paused: ["Paused", "Gepauzeerd"],
    unwatched: ["Not watched", "Zonder bron"],
  },
  order: ["Sort by", "Sorteren op"],
  orders: { newest: ["Newest first", "Nieuwste eerst"], name: ["Name", "Naam"], city: ["City", "Plaats"] },
  shown: (shown: string, all: string) => [`${shown} of ${all} companies`, `${shown} van ${all} bedrijven`],
  cut: (count: string) => [
    `Only your first ${count} monitors are shown. The API lists all of them.`,
    `Alleen uw eerste ${count} gevolgde bedrijven staan hier. De API geeft ze allemaal.`,
  ],
  kvk: (number: string) => [`KVK ${number}`, `KVK ${number}`],
  states: { active: ["Followed", "Gevolgd"], paused: ["Paused", "Gepauzeerd"] },
  unwatched: ["Not watched", "Geen bron"],
  sources: ["Sources", "Bronnen"],
  round: (duration: string) => [`a round takes ${duration}`, `een ronde duurt ${duration}`],
  notReported: (types: string) => [
    `Not reported, because no source has it: ${types}.`,
    `Niet gemeld, omdat geen bron het heeft: ${types}.`,
  ],
  noSource: (type: string) => [`${type} (no source)`, `${type} (geen bron)`],
  whenLoaded: [
    "A change appears once the operator of this service has loaded newer data, so some time after it happened.",
    "U ziet een wijziging zodra de beheerder van deze dienst nieuwere gegevens heeft ingelezen, dus enige tijd nadat het bedrijf is veranderd.",
  ],
  whenKvk: [
    "A change appears once newer data is loaded or KVK answers about the company, so some time after it happened.",
    "U ziet een wijziging zodra nieuwere gegevens zijn ingelezen of de KVK antwoord geeft over het bedrijf, dus enige tijd nadat het is veranderd.",
  ],
  reasons: {
    limit: ["over the limit of your plan", "boven de limiet van uw abonnement"],
    account: ["the account is suspended", "het account is geblokkeerd"],
  },
  allEvents: ["All usual changes", "Alle gebruikelijke wijzigingen"],
  changes: ["Changes", "Wijzigingen"],
  edit: ["Edit", "Bewerken"],
  remove: ["Remove", "Verwijderen"],
  removed: (name: string) => [
    `${name} is no longer monitored. Its past changes stay.`,
    `U volgt ${name} niet meer. Eerdere wijzigingen blijven staan.`,
  ],
  editTitle: (name: string) => [`Edit the monitor of ${name}`, `Monitoring van ${name} bewerken`],
  eventsLabel: ["Changes to report", "Te melden wijzigingen"],
  optIn: ["Only if you choose it; checked weekly", "Alleen als u dit aanvinkt; wekelijks gecontroleerd"],
  eventsMissing: ["Choose at least one.", "Kies er minstens één."],
  webhookLabel: ["Webhook (optional)", "Webhook (optioneel)"],
  webhookAbout: [
    "A URL of yours that gets a signed message about each change.",
    "Een URL van u die een ondertekend bericht over elke wijziging krijgt.",
  ],
  webhookFaults: {
    noSecret: [
      "A webhook needs a secret that signs its messages. Create it here, and then save.",
      "Een webhook heeft een geheim nodig om de berichten te ondertekenen. Maak het hier aan en sla daarna op.",
    ],
    tooMany: [
      `You already use ${WEBHOOKS} different webhooks, which is the maximum. Use one of them.`,
      `U gebruikt al ${WEBHOOKS} verschillende webhooks, het maximum. Gebruik er een van.`,
    ],
    notHttps: [
      "This webhook can’t be used. It must begin with https:// and have no user or password.",
      "Deze webhook kan niet worden gebruikt. Het adres begint met https:// en bevat geen gebruiker of wachtwoord.",
    ],
    notPublic: [
      "This webhook can’t be used. It must be a public address, not one of a private network.",
      "Deze webhook kan niet worden gebruikt. Het adres moet openbaar zijn, niet van een privénetwerk.",
    ],
  },
  gone: [
    "This company is no longer monitored. Reload the page.",
    "U volgt dit bedrijf niet meer. Laad de pagina opnieuw.",
  ],
  save: ["Save", "Opslaan"],

  eventList: ["Changes", "Wijzigingen"],
  eventsAbout: (days: string) => [
    `Newest first. Changes are kept for ${days} days.`,
    `Nieuwste eerst. Wijzigingen worden ${days} dagen bewaard.`,
  ],
  refresh: ["Refresh", "Vernieuwen"],
  csv: ["Download as CSV", "Downloaden als CSV"],
  waiting: (count: string) => [
    `Changes that wait for tokens or for a paused monitor: ${count}. They are reported as soon as they can be charged; none is lost.`,
    `Wijzigingen die wachten op tokens of tot een pauze voorbij is: ${count}. Ze worden gemeld zodra ze kunnen worden afgeschreven; er gaat er geen verloren.`,
  ],
  type: ["Type of change", "Soort wijziging"],
  allTypes: ["All", "Alle"],
  number: ["KVK number", "KVK-nummer"],
  numberWrong: ["Enter eight digits.", "Vul acht cijfers in."],
  noEvents: ["No changes yet.", "Nog geen wijzigingen."],
  noneFits: ["No changes match these filters.", "Geen wijzigingen gevonden met deze filters."],
  eventPages: ["Pages of changes", "Pagina's met wijzigingen"],
  eventColumns: {
    at: ["Seen", "Gezien"],
    company: ["Company", "Bedrijf"],
    change: ["Change", "Wijziging"],
    actions: ["Actions", "Acties"],
  },
  before: ["Before", "Voorheen"],
  now: ["Now", "Nu"],
  firstLook: [
    "Found at the first look, so it may be older",
    "Gevonden bij de eerste controle en dus misschien ouder",
  ],
  csvOfEvents: [
    "Seen|Change|KVK number|Company|Field|Before|Now|Source|Date of the data|Note|Event ID",
    "Gezien|Wijziging|KVK-nummer|Bedrijf|Veld|Voorheen|Nu|Bron|Peildatum|Opmerking|Gebeurtenis-ID",
  ],
  csvOfMonitors: [
    "KVK number|Company|City|Company status|Monitor|Since|Reports|Watched by|Webhook",
    "KVK-nummer|Bedrijf|Plaats|Status bedrijf|Monitoring|Sinds|Meldt|Bronnen|Webhook",
  ],
  fromSource: (source: string, day: string) => [`${source}, as of ${day}`, `${source}, peildatum ${day}`],
  resend: ["Send again", "Opnieuw versturen"],
  resent: [
    "The message will be sent again within seconds.",
    "Het bericht wordt binnen enkele seconden opnieuw verstuurd.",
  ],
  notResent: [
    "The monitor of this company has no webhook, or a disabled one.",
    "De monitoring van dit bedrijf heeft geen webhook, of een uitgeschakelde.",
  ],
  webhooks: ["Webhooks", "Webhooks"],
  webhooksAbout: [
    `Each message is retried for ${DAYS} days. A webhook that accepts none in that time is disabled; Changes still lists everything.`,
    `Elk bericht wordt ${DAYS} dagen lang opnieuw geprobeerd. Een webhook die in die tijd niets accepteert, wordt uitgeschakeld; onder Wijzigingen staat nog steeds alles.`,
  ],
  noWebhooks: [
    "No monitor has a webhook. Create a secret, then edit a monitor to set its webhook.",
    "Er is nog geen webhook ingesteld. Maak een geheim aan en bewerk daarna een gevolgd bedrijf.",
  ],
  webhookColumns: {
    url: ["URL", "URL"],
    status: ["Status", "Status"],
    monitors: ["Monitors", "Bedrijven"],
    waiting: ["Waiting", "Wachtend"],
    delivered: ["Last delivery", "Laatste bezorging"],
    failed: ["Last failure", "Laatste fout"],
    actions: ["Actions", "Acties"],
  },
  enabled: ["Enabled", "Ingeschakeld"],
  disabled: ["Disabled", "Uitgeschakeld"],
  since: (moment: string) => [`since ${moment}`, `sinds ${moment}`],
  never: ["Never", "Nooit"],
  test: ["Send test", "Test versturen"],
  tested: [
    "A test message will be sent within seconds. Refresh to see its delivery.",
    "Er wordt binnen enkele seconden een testbericht verstuurd. Vernieuw om de bezorging te zien.",
  ],
  tooManyTests: [
    `You can send ${TESTS} test messages an hour, while at most ${WAITING} wait for delivery. Try again later.`,
    `U kunt ${TESTS} testberichten per uur versturen, zolang er maximaal ${WAITING} op bezorging wachten. Probeer het later opnieuw.`,
  ],
  enable: ["Enable", "Inschakelen"],
  secret: ["Secret", "Geheim"],
  secretAbout: [
    "Messages are signed with it (Standard Webhooks), so that your program can check that they are from this service. Messages about finished lists use it too.",
    "Hiermee worden berichten ondertekend (Standard Webhooks), zodat uw programma kan nagaan dat ze van deze dienst komen. Berichten over voltooide lijsten gebruiken het ook.",
  ],
  createSecret: ["Create secret", "Geheim aanmaken"],
  createSecretAbout: [
    "If you already have one, it keeps working for a day: replace it in your program in that time.",
    "Hebt u er al een, dan werkt dat nog een dag: vervang het binnen die tijd in uw programma.",
  ],
  newSecret: ["Your new secret", "Uw nieuwe geheim"],
  newSecretAbout: [
    "Save it somewhere safe now. It is shown only once.",
    "Bewaar het nu op een veilige plek. Het wordt maar één keer getoond.",
  ],
  saved: ["I’ve saved it", "Ik heb het opgeslagen"],
});
