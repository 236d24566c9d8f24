/** Activities of the demo's companies: codes and official descriptions of the Standaard Bedrijfsindeling 2025 (CBS). */
const TABLE = `
01110 Teelt van andere granen dan rijst, en van peulgewassen en oliehoudende zaden
01134 Teelt van aardappelen en overige wortel- en knolgewassen
01241 Teelt van appels en peren
01301 Teelt van bloembollen
01304 Teelt van potplanten onder glas
01305 Teelt van boomkwekerijgewassen in de volle grond
01411 Houden van melkvee
01412 Opfokken van jong melkvee
01430 Fokken en houden van paarden en overige paardachtigen
01451 Fokken en houden van schapen
01462 Houden van varkens voor vleesproductie
01471 Opfokken en houden van leghennen
01489 Fokken en houden van overige dieren (rest)
01610 Dienstverlening voor de teelt van gewassen
03110 Zee- en kustvisserij
10130 Vervaardiging van vleesproducten
10510 Vervaardiging van zuivelproducten
10710 Vervaardiging van brood en vers banketbakkerswerk
10822 Vervaardiging van chocolade en suikerwerk
10830 Verwerking van thee en koffie
10890 Vervaardiging van overige voedingsmiddelen (rest)
11010 Destilleren, rectificeren en mengen van sterk alcoholische dranken
11050 Vervaardiging van bier
14210 Vervaardiging van bovenkleding
16110 Zagen en schaven van hout
17211 Vervaardiging van verpakkingsmiddelen van papier en karton
18123 Drukken van reclame
18129 Overige activiteiten op het gebied van drukwerk (rest)
22260 Vervaardiging van overige kunststofproducten
23410 Vervaardiging van huishoudelijk en sieraardewerk
25110 Vervaardiging van metalen constructiewerken en delen daarvan
25400 Smeden en bewerken van metaal en poedermetallurgie
28290 Vervaardiging van overige machines en apparaten voor algemeen gebruik, n.e.g.
30120 Bouw van sport- en recreatievaartuigen
31000 Vervaardiging van meubelen
32120 Vervaardiging van juwelen en aanverwante artikelen
33150 Reparatie en onderhoud van civiele schepen
33200 Installatie van industriële machines en apparatuur
35121 Productie van elektriciteit uit windenergie
35122 Productie van elektriciteit door zonnecellen
35140 Distributie van elektriciteit
35150 Handel in elektriciteit
37000 Afvalwaterinzameling en -behandeling
38110 Inzameling van niet-schadelijk afval
38210 Terugwinning van materialen uit afval
41000 Burgerlijke en utiliteitsbouw
42110 Wegenbouw en stratenmaken
43110 Slopen
43120 Bouwrijp maken van terreinen
43211 Installatie van zonnepanelen voor de productie van elektriciteit
43212 Overige elektrische installatie
43221 Loodgieters- en fitterswerk; installatie van sanitair
43222 Installatie van verwarmings- en luchtbehandelingsapparatuur
43230 Aanbrengen van isolatie
43240 Overige bouwinstallatie
43310 Stukadoorswerk
43320 Bouwtimmeren
43330 Afwerken van vloeren en wanden
43340 Schilderen en glaszetten
43350 Overige werkzaamheden in verband met de afwerking van gebouwen
43410 Dakdekken en bouwen van dakconstructies
43910 Metselwerk
46212 Groothandel in zaden, pootgoed en peulvruchten
46220 Groothandel in bloemen en planten
46311 Groothandel in groenten en fruit
46370 Groothandel in koffie, thee, cacao en specerijen
46390 Groothandel in voedingsmiddelen, dranken en overige genotmiddelen algemeen assortiment
46901 Niet-gespecialiseerde groothandel in consumentenartikelen
46902 Niet-gespecialiseerde groothandel in niet-consumentenartikelen
47120 Overige niet-gespecialiseerde detailhandel
47210 Detailhandel in aardappelen, groenten en fruit
47221 Detailhandel in vlees en vleeswaren (niet voornamelijk wild en gevogelte)
47230 Detailhandel in vis en schaal- en weekdieren
47241 Detailhandel in brood en banket
47242 Detailhandel in chocolade en suikerwerk
47250 Detailhandel in dranken
47271 Detailhandel in kaas
47521 Detailhandel in ijzerwaren en gereedschappen
47522 Detailhandel in verf, verfwaren en behang
47524 Detailhandel in tegels
47525 Detailhandel in parket-, laminaat- en kurkvloeren
47541 Detailhandel in witgoed
47553 Detailhandel in artikelen voor woninginrichting algemeen assortiment
47554 Detailhandel in keukens
47610 Detailhandel in boeken
47620 Detailhandel in kranten, tijdschriften en kantoorartikelen
47631 Detailhandel in fietsen
47640 Detailhandel in spellen en speelgoed
47712 Detailhandel in dameskleding
47713 Detailhandel in kleding en kledingaccessoires (algemeen assortiment)
47721 Detailhandel in schoenen
47730 Detailhandel in farmaceutische artikelen
47741 Detailhandel in drogisterij-artikelen
47743 Detailhandel in corrigerende brillen, lenzen en zonnebrillen
47761 Detailhandel in bloemen en planten, zaden en tuinbenodigdheden
47762 Detailhandel in dieren en dierbenodigdheden
47770 Detailhandel in horloges en juwelen
47791 Detailhandel in antiek
47792 Detailhandel in tweedehands kleding
47793 Detailhandel in tweedehands goederen (geen kleding)
47810 Detailhandel in motorvoertuigen
47830 Detailhandel in motor- en bromfietsen, inclusief onderdelen en toebehoren hiervan
49310 Personenvervoer over de weg met dienstregeling
49320 Personenvervoer over de weg zonder dienstregeling
49330 Personenvervoer op aanvraag per voertuig met chauffeur
49410 Goederenvervoer over de weg (met uitzondering van verhuisbedrijven)
49420 Activiteiten van verhuisbedrijven
50201 Goederenvervoer over zee- en kustwateren door middel van vracht- en tankvaart
50401 Goederenvervoer over binnenwateren door middel van vrachtvaart
52109 Opslag in distributiecentra en overige opslag (niet in tanks, koelhuizen e.d.)
52250 Logistieke diensten: vrachtafhandeling
52310 Bemiddelingsactiviteiten in verband met goederenvervoer
53202 Activiteiten van koeriers
55101 Exploitatie van hotel-restaurants
55102 Exploitatie van hotels (geen hotel-restaurants), pensions en conferentie-oorden
55300 Exploitatie van kampeerterreinen
56111 Exploitatie van restaurants
56112 Exploitatie van fastfoodrestaurants, cafetaria's, ijssalons en dergelijke
56120 Exploitatie van mobiele eetgelegenheden
56210 Cateringdiensten op evenementen
56220 Cateringdiensten op contractbasis en overige diensten in verband met drank en maaltijden
56300 Exploitatie van drinkgelegenheden
58210 Uitgeven van computerspellen
59111 Productie van films (geen televisiefilms)
59200 Maken en uitgeven van geluids- en muziekopnamen
60100 Uitzenden van radioprogramma’s en distributie van audio
62100 Ontwerpen van computerprogramma’s
62200 Activiteiten op het gebied van computerconsultancy en beheer van computerfaciliteiten
63100 Inrichten van computerinfrastructuur, gegevensverwerking, hosting en aanverwante activiteiten
64210 Activiteiten van financiële holdings
64220 Activiteiten van financieringsentiteiten binnen concernverband
64310 Activiteiten van geldmarkt- en niet-geldmarktbeleggingsfondsen
64923 Activiteiten van participatiemaatschappijen
64999 Overige financiële dienstverlening, met uitzondering van verzekeringen en pensioenfondsen, n.e.g. (rest)
65121 Activiteiten van schadeverzekeraars, met uitzondering van zorgverzekeraars
65302 Activiteiten van ondernemingspensioenfondsen en -spaarfondsen
66191 Activiteiten van administratiekantoren voor aandelen en obligaties
66220 Activiteiten van verzekeringsagenten, makelaars en assurantietussenpersonen
68110 Handel in eigen onroerend goed
68120 Projectontwikkeling
68201 Activiteiten van woningbouwverenigingen en -stichtingen
68203 Verhuur en exploitatie van onroerend goed (niet van woonruimte)
68310 Bemiddeling in verband met exploitatie van en handel in onroerend goed
68320 Overige bemiddeling in en beheer van onroerend goed voor een vast bedrag of op contractbasis
69101 Activiteiten van advocaten, bewindvoerders en curatoren
69102 Rechtskundig advies
69103 Activiteiten van notarissen
69202 Activiteiten van accountants-administratieconsulenten
69203 Activiteiten van boekhouders
69204 Belastingadvisering
70101 Concerndiensten binnen eigen concern
70201 Activiteiten van organisatie-adviesbureaus
70202 Advisering op het gebied van management en bedrijfsvoering (geen public relations en organisatie-adviesbureaus)
71111 Activiteiten van architecten (geen interieurarchitecten)
71120 Activiteiten van ingenieurs en overig technisch ontwerp en advies
72100 Natuurwetenschappelijk onderzoek en experimentele ontwikkeling
73110 Activiteiten van reclamebureaus
73120 Handel in advertentieruimte en -tijd
73300 Activiteiten van adviesbureaus op het gebied van public relations en communicatie
74110 Ontwerpen van industriële producten en mode
74120 Grafisch ontwerp en visuele communicatie
74130 Interieurontwerp
74140 Overige gespecialiseerde ontwerpactiviteiten
74200 Activiteiten op het gebied van fotografie
74300 Activiteiten van vertalers en tolken
75000 Veterinaire dienstverlening
77111 Verhuur en lease van personenauto’s en andere lichte motorvoertuigen (geen operational lease)
77112 Operational lease van personenauto’s en andere lichte motorvoertuigen
77210 Verhuur en lease van recreatie- en sportartikelen
77320 Verhuur en lease van machines en installaties voor de bouwnijverheid en de weg- en waterbouw
77390 Verhuur en lease van overige machines en werktuigen en van overige goederen, n.e.g.
78100 Arbeidsbemiddeling
78201 Activiteiten van uitzendbureaus; personeelsbeheer voor derden
78202 Activiteiten van uitleenbureaus
79120 Activiteiten van reisorganisatoren
80010 Opsporings- en beveiligingsdiensten ter plaatse
81100 Facility management
81210 Interieurreiniging van gebouwen
81221 Glazenwassen
81222 Schoorsteenvegen
81301 Onderhoud van tuinen, parken en plantsoenen
81302 Natuurbeheer
82300 Organisatie van congressen en beurzen
82910 Activiteiten van incasso- en kredietbureaus
82990 Overige zakelijke dienstverlening, n.e.g.
84110 Algemeen overheidsbestuur
84240 Diensten van Openbare orde en veiligheid
84250 Diensten van de Brandweer
85201 Regulier basisonderwijs
85311 Havo, vwo en vmbo
85510 Sport- en recreatieonderwijs
85521 Activiteiten van dansscholen
85522 Kunstzinnige vorming van amateurs (geen dansscholen)
85530 Activiteiten van auto- en motorrijscholen
85591 Bedrijfsopleiding en -training
85599 Studiebegeleiding en overig onderwijs n.e.g.
85690 Onderwijsondersteunende activiteiten, n.e.g.
86210 Huisartsenzorg
86221 Medisch specialistische zorg zonder verblijf (met uitzondering van psychiatrische zorg)
86230 Tandheelkundige zorg
86930 Psychologische zorg
86941 Verloskundige zorg
86942 Verpleging en verzorging thuis en kraamzorg
86950 Fysiotherapie en ergotherapie
86960 Alternatieve geneeskunde en oefentherapie
86992 Preventieve zorg
86994 Overige paramedische zorg
86999 Overige gezondheidszorg zonder verblijf, n.e.g.
87302 Verblijfszorg met persoonlijke verzorging en begeleiding voor ouderen
88102 Ondersteuning en begeleiding ouderen (inclusief dagactiviteiten)
88103 Ondersteuning en begeleiding mensen met een handicap (inclusief dagactiviteiten)
88910 Kinderopvang
88991 Ondersteuning en begeleiding jeugdigen zonder verblijf (inclusief dagactiviteiten)
88992 Sociaal-maatschappelijk welzijnswerk
88999 Overige welzijnszorg
90110 Literaire creatie en compositie van muziek
90120 Creatie van beeldende kunst
90200 Activiteiten op het gebied van uitvoerende kunst
90310 Exploitatie van theaters, schouwburgen en poppodia
90392 Organisatie van festivals op het gebied van scheppende en uitvoerende kunst
91120 Activiteiten van archieven
91211 Activiteiten van musea
91300 Instandhouding, restauratie en overige ondersteunende activiteiten voor cultureel erfgoed
91410 Activiteiten van botanische tuinen en dierentuinen
91420 Activiteiten op het gebied van beheer en instandhouding van natuurreservaten
93114 Exploitatie van maneges
93121 Activiteiten van veldvoetbalclubs
93122 Activiteiten van tennisclubs
93123 Activiteiten van zaalsportclubs, zowel individueel als in teamverband
93124 Activiteiten van zwemclubs en onderwatersportclubs
93129 Activiteiten van overige sportclubs en omnisportclubs
93130 Activiteiten van fitnesscentra
93194 Activiteiten van overkoepelende organen en samenwerkings- en adviesorganen op het gebied van sport
93291 Exploitatie van jachthavens
93299 Overige activiteiten op het gebied van ontspanning en recreatie (rest)
94110 Activiteiten van bedrijfs- en werkgeversorganisaties
94120 Activiteiten van beroepsorganisaties
94910 Activiteiten van levensbeschouwelijke organisaties
94991 Activiteiten van gezelligheidsverenigingen
94992 Activiteiten van hobbyclubs
94993 Activiteiten van steunfondsen (niet op het gebied van welzijnszorg)
94996 Activiteiten van overige ideële organisaties n.e.g.
94997 Overige belangenbehartiging n.e.g.
95220 Reparatie en onderhoud van huishoudelijke apparaten en van werktuigen voor gebruik in huis en tuin
95230 Reparatie en onderhoud van schoenen en lederwaren
95240 Reparatie en onderhoud van meubelen en stoffering
95290 Reparatie en onderhoud van consumentenartikelen, n.e.g.
95311 Algemene reparatie en onderhoud van motorvoertuigen
95313 Activiteiten van bandenservicebedrijven
95315 Carrosserieherstel
95316 Overige gespecialiseerde reparatie en slepen van auto's
95320 Reparatie en onderhoud van motorfietsen
96100 Wassen en chemisch reinigen van textiel en bontproducten
96210 Kappers- en barbiersactiviteiten
96220 Schoonheidsverzorging en overige schoonheidsbehandelingen
96301 Uitvaartverzorging
96302 Activiteiten van crematoria, mortuaria en begraafplaatsen
96990 Overige persoonlijke dienstverlening, n.e.g.
`;

export const SBI_DESCRIPTIONS: ReadonlyMap<string, string> = new Map(
  TABLE.trim()
    .split("\n")
    .map((line) => [line.slice(0, 5), line.slice(6)]),
);

export const SBI_CODES: readonly string[] = [...SBI_DESCRIPTIONS.keys()];
