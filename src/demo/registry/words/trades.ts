/** Trades: the word that appears in a company's name, and the SBI codes that such a company registers. */
import { splitList } from "../random.ts";

export interface Trade {
  readonly word: string;
  /** The main activity first, then activities that often go with it. */
  readonly sbiCodes: readonly string[];
}

function trades(table: string): readonly Trade[] {
  return splitList(table).map((entry) => {
    const [word = "", codes = ""] = entry.split(/(?<!\s)\s*:\s*/);
    return { word, sbiCodes: codes.split(" ") };
  });
}

/** Words that stand before a family name or a fantasy name: `Bakkerij Jansen`, `Café De Gouden Leeuw`. */
export const SHOPS_AND_CRAFTS = trades(`
Bakkerij: 47241 10710; Banketbakkerij: 47241 10710; Slagerij: 47221 10130; Vishandel: 47230
Kaashandel: 47271; Groentehandel: 47210 46311; Slijterij: 47250; Wijnhandel: 47250
Chocolaterie: 47242 10822; Pâtisserie: 47241 10710; Crêperie: 56111; Café: 56300; Eetcafé: 56111 56300
Restaurant: 56111 56210; Brasserie: 56111; Pizzeria: 56112 56111; Cafetaria: 56112; Snackbar: 56112
IJssalon: 56112; Lunchroom: 56112 56210; Cateringservice: 56210 56220; Foodtruck: 56120; Hotel: 55101 56111
Pension: 55102; Camping: 55300 56112; Kapsalon: 96210; Barbershop: 96210; Schoonheidssalon: 96220
Nagelstudio: 96220; Pedicurepraktijk: 86994 96220; Massagepraktijk: 86960; Bloemist: 47761
Bloemenhuis: 47761; Tuincentrum: 47761 46220; Dierenwinkel: 47762; Dierenartsenpraktijk: 75000; Manege: 93114 01430
Boekhandel: 47610 47620; Kantoorboekhandel: 47620 47610; Speelgoedhuis: 47640; Rijwielhandel: 47631 95290
Fietsenmaker: 95290 47631; Juwelier: 47770; Optiek: 47743; Schoenmakerij: 95230; Schoenhandel: 47721
Modehuis: 47713 47712; Kledingatelier: 14210 95290; Stomerij: 96100; Meubelmakerij: 31000 95240
Woninginrichting: 47553 43330; Keukenstudio: 47554 43320; Stoffeerderij: 95240; Doe-het-zelfzaak: 47521
IJzerhandel: 47521; Verfhandel: 47522; Witgoedservice: 95220 47541; Antiekhandel: 47791
Kringloopwinkel: 47793 47792; Drogisterij: 47741; Apotheek: 47730; Autobedrijf: 95311 47810
Garage: 95311 47810; Autoschade: 95315; Bandenservice: 95313; Motorhuis: 47830 95320; Carwash: 95316
Rijschool: 85530; Taxibedrijf: 49330; Koeriersdienst: 53202; Verhuisbedrijf: 49420 52109
Transportbedrijf: 49410 52250; Touringcarbedrijf: 49320; Jachthaven: 93291 33150; Jachtbouw: 30120 33150
Aannemersbedrijf: 41000 43320; Bouwbedrijf: 41000 43410; Timmerbedrijf: 43320; Klussenbedrijf: 43320 43350
Schildersbedrijf: 43340; Stukadoorsbedrijf: 43310; Metselbedrijf: 43910; Dakdekkersbedrijf: 43410
Loodgietersbedrijf: 43221 43222; Installatiebedrijf: 43222 43221 43212; Elektrotechniek: 43212 43211
Vloerenbedrijf: 43330 47525; Tegelhandel: 47524 43330; Grondverzet: 43120 42110; Stratenmakersbedrijf: 42110
Sloopbedrijf: 43110 38210; Hoveniersbedrijf: 81301; Boomkwekerij: 01305; Kwekerij: 01304
Bloembollenbedrijf: 01301; Fruitbedrijf: 01241; Loonbedrijf: 01610; Melkveebedrijf: 01411 01412
Pluimveebedrijf: 01471; Akkerbouwbedrijf: 01134 01110; Schapenhouderij: 01451; Paardenstal: 01430 93114
Visserijbedrijf: 03110; Imkerij: 01489; Glazenwasserij: 81221 81210; Schoonmaakbedrijf: 81210
Schoorsteenveger: 81222; Drukkerij: 18123 18129; Zeefdrukkerij: 18129; Fotostudio: 74200; Geluidsstudio: 59200
Dansschool: 85521; Muziekschool: 85522; Sportschool: 93130 85510; Yogastudio: 85510 93130; Zwemschool: 85510
Fysiotherapie: 86950; Logopediepraktijk: 86994; Tandartspraktijk: 86230; Huisartsenpraktijk: 86210
Psychologenpraktijk: 86930; Verloskundigenpraktijk: 86941; Acupunctuurpraktijk: 86960; Kinderdagverblijf: 88910
Gastouderopvang: 88910; Thuiszorg: 86942; Zorgboerderij: 88103 01411; Uitvaartverzorging: 96301
Smederij: 25400 25110; Constructiebedrijf: 25110; Machinefabriek: 28290; Houtzagerij: 16110
Brouwerij: 11050 56300; Distilleerderij: 11010; Koffiebranderij: 10830 46370; Ambachtelijke Zuivel: 10510
`);

/** Words that stand after a name: `Jansen Fotografie`, `Nortivia Software B.V.` */
export const SERVICES = trades(`
Advies: 70202 70201; Consultancy: 70202 62200; Coaching: 85591 85599; Training: 85591; Trainingen: 85591 85599
Interim: 70202; Management: 70202; Projectmanagement: 70202 71120; Bedrijfsadvies: 70201
Organisatieadvies: 70201; Administraties: 69203 69204; Accountants: 69202 69204; Boekhouding: 69203
Belastingadvies: 69204; Advocatuur: 69101; Juridisch Advies: 69102; Mediation: 69102; Incasso: 82910
Assurantiën: 66220; Verzekeringen: 66220; Financieel Advies: 66220 64999; Hypotheken: 66220; Makelaardij: 68310
Taxaties: 68320; Vastgoedbeheer: 68320; Architectuur: 71111; Interieurontwerp: 74130; Engineering: 71120
Bouwadvies: 71120; Software: 62100 62200; Webdesign: 62100 74120; ICT: 62200; Automatisering: 62200 62100
Hosting: 63100; Data: 63100 62100; Apps: 62100; Cybersecurity: 62200; Games: 58210; Media: 73110
Marketing: 73110 73120; Reclame: 73110; Communicatie: 73300; Tekst: 90110 73300; Vertalingen: 74300
Fotografie: 74200; Film: 59111; Design: 74120 74140; Illustratie: 90120 74120; Productontwikkeling: 74110 71120
Muziek: 90200 59200; Theater: 90200; Evenementen: 82300 90392; Events: 82300; Reizen: 79120
Verhuur: 77390; Autoverhuur: 77111; Lease: 77112; Machineverhuur: 77320; Uitzendbureau: 78201
Detachering: 78202; Werving en Selectie: 78100; Beveiliging: 80010; Facilitair: 81100; Schoonmaak: 81210
Groenvoorziening: 81301; Logistiek: 52250 52310; Expeditie: 52310; Transport: 49410; Opslag: 52109
Webwinkel: 47120 46901; Import: 46902; Export: 46902; Handelsonderneming: 46902; Trading: 46902
Groothandel: 46390 46901; Techniek: 43212 33200; Installaties: 43222; Montage: 43240 33200; Onderhoud: 43350 81100
Bouw: 41000; Infra: 42110; Renovatie: 43350 41000; Isolatie: 43230; Zonnepanelen: 43211; Metaal: 25110
Kunststoffen: 22260; Verpakkingen: 17211; Recycling: 38210; Agro: 46212; Food: 10890
Zorg: 86999 88102; Begeleiding: 88991 88103; Jeugdzorg: 88991; Onderwijsadvies: 85690; Huiswerkbegeleiding: 85599
Personal Training: 85510 93130; Voedingsadvies: 86992; Hondentraining: 96990; Nagelstyling: 96220
Schoonheid: 96220; Kunst: 90120; Keramiek: 23410; Sieraden: 32120 47770; Energie: 35140 35122; Watersport: 77210
`);

/** Professions that work in partnerships: `Maatschap Tandartsen Zwolle`. */
export const PRACTICES = trades(`
Tandartsen: 86230; Huisartsen: 86210; Fysiotherapeuten: 86950; Verloskundigen: 86941; Medisch Specialisten: 86221
Advocaten: 69101; Notarissen: 69103; Dierenartsen: 75000; Melkveehouderij: 01411; Akkerbouw: 01134 01110
Varkenshouderij: 01462
`);

/** Words for companies owned by a family or a group: `Van den Berg Holding B.V.` */
export const HOLDINGS = trades(`
Holding: 64210; Beheer: 64210 70101; Beheer en Beleggingen: 64210; Beleggingen: 64210; Participaties: 64923 64210
Groep: 64210; Management: 70202 64210; Vastgoed: 68203 68110; Onroerend Goed: 68203; Exploitatie: 68203
Investments: 64210 64923; Ventures: 64923; Pensioen: 64999; Stamrecht: 64999; Financiering: 64220
Projectontwikkeling: 68120 68110; Houdstermaatschappij: 64210; Capital: 64923; Deelnemingen: 64210
`);

/** Purposes of foundations: `Stichting Dorpshuis Oosterbroek`. */
export const CAUSES = trades(`
Dorpshuis: 94996; Speeltuin: 93299; Kinderboerderij: 91410; Museum: 91211; Cultuurhuis: 90310; Festival: 90392
Vrienden van Theater: 94993; Jeugdwerk: 88992; Welzijn: 88992; Vluchtelingenwerk: 88992; Woonzorg: 87302
Ouderenhuisvesting: 68201; Kinderopvang: 88910; Peuterspeelzaal: 88910; Openbaar Onderwijs: 85201
Christelijk Onderwijs: 85201 85311; Voortgezet Onderwijs: 85311; Natuurbeheer: 81302 91420; Landschapsbeheer: 81302
Molenbehoud: 91300; Monumentenzorg: 91300; Orgelconcerten: 90200; Kamerkoor: 90200; Harmonieorkest: 90200
Beeldende Kunst: 90120; Lokale Omroep: 60100; Sportpromotie: 93194; Hulpverlening: 88992
Buurtbus: 49310; Energietransitie: 94996; Onderzoek en Innovatie: 72100; Dierenopvang: 94996; Voedselhulp: 88999
Noodhulp: 88999; Historisch Archief: 91120; Begraafplaats: 96302; Wijkontwikkeling: 94997; Kerstmarkt: 82300
`);

/** Kinds of associations, used as the first word of their names. */
export const CLUBS = trades(`
Voetbalvereniging: 93121; Sportvereniging: 93129; Tennisvereniging: 93122; Hockeyclub: 93129; Korfbalvereniging: 93129
Volleybalvereniging: 93123; Gymnastiekvereniging: 93123; Zwemvereniging: 93124; Schaatsvereniging: 93129
IJsclub: 93129; Wielervereniging: 93129; Atletiekvereniging: 93129; Schaakvereniging: 94992; Bridgeclub: 94992
Hengelsportvereniging: 94992; Duivenvereniging: 94992; Postzegelvereniging: 94992; Modelspoorclub: 94992
Muziekvereniging: 90200; Zangvereniging: 90200; Toneelvereniging: 90200; Carnavalsvereniging: 94991
Oranjevereniging: 94991; Buurtvereniging: 94991; Dorpsvereniging: 94997; Ondernemersvereniging: 94110
Winkeliersvereniging: 94110; Volkstuinvereniging: 94992; Speeltuinvereniging: 93299; IJsvereniging: 93129
Heemkundige Kring: 94992; Historische Vereniging: 94992; Scoutinggroep: 94991; Studentenvereniging: 94991
Personeelsvereniging: 94991; Vrouwenvereniging: 94991; Beroepsvereniging: 94120; Watersportvereniging: 93129 93291
`);
