import { bilingual } from "../../language/bilingual.ts";

export const autocomplete = bilingual(
  {
    title: "Autocomplete in a form",
    about: "A field that finds the company while its name is typed, and fills in the address.",
    body: `
\`<opzoek-autocomplete>\` is a web component of the package \`@opzoek/client\`: less than 9 KB after gzip, no other package, for any page and framework. This service
serves it at [/element.js](/element.js), to pages of any site; below is HTML that uses it. A page with a build of its own does \`import "@opzoek/client/element"\`, from the package that a checkout of Opzoek makes (\`npm pack ./client\`).

Whoever reads the page reads its key, so give it a key for browsers (\`opz_pub_…\`), never one that begins with \`opz_live_\`.

## Attributes

| attribute | what it does |
|---|---|
| \`key\` | the key; \`api-key\` in React and Vue, where \`key\` has a meaning of its own |
| \`base-url\` | where the service is; the page's own address unless given |
| \`session\` | the session of typing that a token in the place of a key was made for |
| \`name\`, \`text-name\` | the names under which the KVK number, and the text, are sent with the form |
| \`required\` | a company must be chosen, or a KVK number of 8 digits typed |
| \`strict\` | a text that is neither is refused; empty is fine |
| \`value\` | a KVK number to begin with |
| \`lookup\` | looks up the chosen company for the address (1 token, where the key may) |
| \`placeholder\`, \`disabled\`, \`lang\` | as of any field; \`lang\` is \`nl\` or \`en\`, else that of the page |
| \`min-length\`, \`limit\`, \`debounce\` | from how many characters (2), how many companies (8), after which pause in ms (250) |

## Filling the form

A field of the same form with \`data-opzoek-fill\` gets what is known of the chosen company: \`name\`, \`kvkNumber\`, \`street\`, \`houseNumber\`, \`addressLine\`,
\`postalCode\`, \`city\`, \`country\`, \`registrationDate\`. Without \`lookup\`, or where the key may not, these are name, number and city. What somebody types after
the choice stays. A KVK number of 8 digits that is typed whole fills them too. When the company is cleared or typed over, what was filled is emptied.

## Which key

A key for browsers works from the pages whose origin it lists (\`https://shop.example\`, as \`location.origin\` says it), and spends so many tokens a day at most, 500 unless you say otherwise: that is what it costs when somebody copies it. Each address has 30 calls a minute with it. A page with a
Content-Security-Policy needs \`connect-src\` with this service, and \`script-src\` with the service too if \`element.js\` comes from it.

A page that is to hold no key gets a token: your server asks [POST /v1/tokens](#/calls/post-v1-tokens) with its live key, or a test key, for the page's origin and a \`session\` of its own making, and the page sets both as \`session\` and \`key\`. When the
token has ended, \`opzoek-error\` says \`UNAUTHORIZED\`: set the next one.

## Events

| event | \`detail\` |
|---|---|
| \`opzoek-select\` | the company that was chosen |
| \`opzoek-clear\` | the company that no longer is |
| \`opzoek-fill\` | \`company\` and \`fields\`, which hold what it says |
| \`opzoek-error\` | \`code\`, \`message\`, and \`status\` and \`retryAfterSeconds\` where there are any |
| \`input\`, \`change\` | as of any field; \`value\` is the KVK number |

## When the service is away

The field says so, and that one can go on by hand: until there is an answer again, any text is valid, with \`required\` and \`strict\` too, so that no outage holds back your form. Your server
gets an empty KVK number then, and the text under \`text-name\`. It checks the number in any case: what a browser sends, anybody can write.

A screen reader is told how many companies there are, that there are none, what failed and, after a second, that the search goes on. A quick search is silent on purpose: it would talk over the
letters that are being typed. The list says \`aria-busy\` meanwhile.

## Looks

Colours follow the \`color-scheme\` of your page. The variables \`--opzoek-accent\`, \`--opzoek-text\`, \`--opzoek-muted\`, \`--opzoek-background\`, \`--opzoek-active\`, \`--opzoek-border\`,
\`--opzoek-danger\` and \`--opzoek-radius\` change them, \`::part()\` the rest: \`field\`, \`input\`, \`number\`, \`spinner\`, \`clear\`, \`message\`, \`popup\`, \`note\`, \`listbox\`,
\`option\`, \`name\`, \`match\`, \`details\`. While something is wrong the element is in \`:state(invalid)\`.
`,
  },
  {
    title: "Aanvullen in een formulier",
    about: "Een veld dat het bedrijf vindt terwijl de naam wordt getypt, en het adres invult.",
    body: `
\`<opzoek-autocomplete>\` is een webcomponent uit het pakket \`@opzoek/client\`: minder dan 9 KB na gzip, geen ander pakket nodig, voor elke pagina en elk framework. Deze dienst
levert het op [/element.js](/element.js), aan pagina's van elke site; hieronder staat HTML die het gebruikt. Bouwt u uw pagina zelf, gebruik dan \`import "@opzoek/client/element"\`, uit het pakket dat een checkout van Opzoek maakt (\`npm pack ./client\`).

Wie de pagina leest, leest ook de sleutel. Gebruik dus een sleutel voor browsers (\`opz_pub_…\`), nooit een die met \`opz_live_\` begint.

## Attributen

| attribuut | wat het doet |
|---|---|
| \`key\` | de sleutel; \`api-key\` in React en Vue, waar \`key\` iets anders betekent |
| \`base-url\` | waar de dienst staat; zonder dit het adres van de pagina zelf |
| \`session\` | de typesessie waarvoor een token in plaats van een sleutel is gemaakt |
| \`name\`, \`text-name\` | de namen waaronder het KVK-nummer, en de tekst, met het formulier meegaan |
| \`required\` | er moet een bedrijf gekozen zijn, of een KVK-nummer van 8 cijfers getypt |
| \`strict\` | een tekst die geen van beide is, wordt geweigerd; leeg mag |
| \`value\` | een KVK-nummer om mee te beginnen |
| \`lookup\` | vraagt het gekozen bedrijf op voor het adres (1 token, als de sleutel dat mag) |
| \`placeholder\`, \`disabled\`, \`lang\` | als bij elk veld; \`lang\` is \`nl\` of \`en\`, anders die van de pagina |
| \`min-length\`, \`limit\`, \`debounce\` | vanaf hoeveel tekens (2), hoeveel bedrijven (8), na welke pauze in ms (250) |

## Het formulier invullen

Een veld van hetzelfde formulier met \`data-opzoek-fill\` krijgt wat van het gekozen bedrijf bekend is: \`name\`, \`kvkNumber\`, \`street\`, \`houseNumber\`, \`addressLine\`,
\`postalCode\`, \`city\`, \`country\`, \`registrationDate\`. Zonder \`lookup\`, of als de sleutel het niet mag, zijn dat naam, nummer en plaats. Wat iemand na de
keuze typt, blijft staan. Een KVK-nummer van 8 cijfers dat helemaal is getypt, vult ze ook in. Wordt het bedrijf gewist of overgetypt, dan worden de ingevulde velden weer leeg.

## Welke sleutel

Een sleutel voor browsers werkt op de pagina's waarvan hij de origin noemt (\`https://shop.example\`, zoals \`location.origin\` die geeft), en geeft per dag hooguit zoveel tokens uit, 500 als u niets anders kiest: dat kost het als iemand hem kopieert. Elk adres heeft er 30 aanroepen per minuut mee. Een pagina met een
Content-Security-Policy heeft \`connect-src\` met deze dienst nodig, en ook \`script-src\` als \`element.js\` daarvandaan komt.

Een pagina die geen sleutel mag bevatten krijgt een token: uw server vraagt het met zijn live-sleutel, of een testsleutel, via [POST /v1/tokens](#/calls/post-v1-tokens), voor de origin van de pagina en een zelfgemaakte \`session\`, en de pagina zet die als \`session\` en \`key\`. Is het
token afgelopen, dan zegt \`opzoek-error\` \`UNAUTHORIZED\`: zet het volgende.

## Events

| event | \`detail\` |
|---|---|
| \`opzoek-select\` | het gekozen bedrijf |
| \`opzoek-clear\` | het bedrijf dat niet meer gekozen is |
| \`opzoek-fill\` | \`company\` en \`fields\`: de velden die bevatten wat het zegt |
| \`opzoek-error\` | \`code\`, \`message\`, en \`status\` en \`retryAfterSeconds\` als die er zijn |
| \`input\`, \`change\` | als bij elk veld; \`value\` is het KVK-nummer |

## Als de dienst er niet is

Het veld zegt dat, en dat men met de hand verder kan: tot er weer een antwoord is, is elke tekst goed, ook met \`required\` en \`strict\`. Zo houdt een storing uw formulier nooit tegen. Uw server
krijgt dan een leeg KVK-nummer, en de tekst onder \`text-name\`. Hij controleert het nummer hoe dan ook: wat een browser stuurt, kan iedereen schrijven.

Een schermlezer hoort hoeveel bedrijven er zijn, dat er geen zijn, wat er misging en, na een seconde, dat het zoeken doorgaat. Een snelle zoekopdracht blijft met opzet stil: die zou door de
letters heen praten die worden getypt. De lijst meldt intussen \`aria-busy\`.

## Uiterlijk

Kleuren volgen de \`color-scheme\` van uw pagina. De variabelen \`--opzoek-accent\`, \`--opzoek-text\`, \`--opzoek-muted\`, \`--opzoek-background\`, \`--opzoek-active\`, \`--opzoek-border\`,
\`--opzoek-danger\` en \`--opzoek-radius\` veranderen ze, \`::part()\` de rest: \`field\`, \`input\`, \`number\`, \`spinner\`, \`clear\`, \`message\`, \`popup\`, \`note\`, \`listbox\`,
\`option\`, \`name\`, \`match\`, \`details\`. Zolang er iets mis is, is het element in \`:state(invalid)\`.
`,
  },
);
