/** Names of people: common Dutch given names, initials and family names (with their particle), combined at random. */
import { type Random, splitList } from "../random.ts";

/** The common ones first. */
const FAMILY_NAMES = splitList(`
de Jong, Jansen, de Vries, van den Berg, van Dijk, Bakker, Janssen, Visser, Smit, Meijer, de Boer, Mulder
de Groot, Bos, Vos, Peters, Hendriks, van Leeuwen, Dekker, Brouwer, de Wit, Dijkstra, Smits, de Graaf
van der Meer, van der Linden, Kok, Jacobs, de Haan, Vermeulen, van den Heuvel, van der Veen, van den Broek
de Bruijn, de Bruin, van der Heijden, Schouten, van Beek, Willems, van Vliet, van de Ven, Hoekstra, Maas
Verhoeven, Koster, van Dam, van der Wal, Prins, Blom, Huisman, Peeters, de Jonge, Kuipers, van Veen, Post
Kuiper, Veenstra, Kramer, van den Brink, Scholten, van Wijk, Postma, Martens, Vink, de Ruiter, Timmermans
Groen, Gerritsen, Jonker, van Loon, Boer, van der Velde, Willemsen, Smeets, de Lange, de Vos, van Dongen
Schipper, de Koning, van der Laan, Koning, van der Velden, Driessen, van Doorn, Hermans, Evers, van den Bosch
van der Meulen, Hofman, Bosman, Wolters, Sanders, van der Horst, Mol, Kuijpers, Molenaar, van de Pol
de Leeuw, Verbeek, Schuurman, Verhagen, Bosch, Kroon, van der Ploeg, Zwart, Bouwman, Smid, van der Wijst
van Houten, Hoogland, Langerak, Wiersma, Terpstra, Zijlstra, Bergsma, Boonstra, Sikkema, Tuinstra, Feenstra
Rijpkema, Haverkamp, Nijhuis, Wesselink, Oude Vrielink, Groot Bramel, ten Have, ter Horst, ten Brinke
te Velde, op den Camp, in 't Veld, van 't Hof, van 't Veer, van 't Zand, uit den Boogaard, aan de Stegge
bij de Vaate, van der Zwaan, van der Kolk, van der Sluijs, van der Vaart, van de Water, van de Sande
van de Kamp, van den Hoek, van den Akker, van den Eijnden, van den Oever, van Rooijen, van Schaik, van Gelder
van Eijk, van Es, van Ginkel, van Hees, van IJzendoorn, van Kempen, van Lieshout, van Mierlo, van Nistelrooij
van Oosten, van Putten, van Rijn, van Rossum, van Soest, van Tilburg, van Uden, van Vugt, van Wanrooij, van Zon
de Backer, de Beer, de Bie, de Bok, de Gier, de Goede, de Heer, de Hoog, de Kleijn, de Kort, de Kruif
de Laat, de Nijs, de Rooij, de Rijk, de Roos, de Schepper, de Smet, de Swart, de Waal, de Weerd, de Wilde
Aarts, Adriaansen, Akkerman, Alberts, Arends, Baars, Baltus, Bartels, Beekman, Berends, Beumer, Bijl
Bijlsma, Blok, Bloemendaal, Boersma, Bogaerts, Bongers, Boot, Borst, Braam, Brandsma, Brink, Broekhuis
Bruins, Buijs, Burger, Claassen, Coenen, Cornelissen, Cuijpers, Damen, Dirks, Doornbos, Drost, Duijn
Ebbers, Eggink, Elbers, Engels, Ernst, Faber, Fokkens, Franken, Fransen, Geerts, Geurts, Gijsbers, Goossens
Gort, Haagsma, Hagen, Hartman, Havinga, Heemskerk, Heijmans, Helder, Hendrix, Hoeve, Hogeveen, Holtrop
Huijbers, Hulst, IJpelaar, IJzerman, Jaspers, Jongsma, Joosten, Kamphuis, Keizer, Kempers, Keijzer, Klaver
Kleijn, Klein, Kloosterman, Knol, Koenen, Kooij, Kooijman, Koopman, Kraaijeveld, Kremer, Kroes, Kuijer
Lammers, Langeveld, Leenders, Lemmens, Linssen, Lodewijks, Loos, Lubbers, Luijten, Manders, Meeuwsen
Mensink, Mertens, Michels, Mulders, Naber, Nelissen, Nieboer, Nieuwenhuis, Noordhoek, Nuijten, Offermans
Oosterhof, Oostveen, Otten, Paulissen, Pieters, Pijnenburg, Pronk, Raaijmakers, Reijnders, Rietveld, Rijken
Ritsema, Roelofs, Romeijn, Roos, Rutten, Schaap, Schellekens, Scheepers, Schreuder, Schreurs, Simons, Slagter
Slot, Snel, Snijders, Spaan, Spijkers, Steenbergen, Stegeman, Stoffels, Swinkels, Teunissen, Theunissen
Thijssen, Tichelaar, Tijhuis, Timmer, Tol, Tromp, Uijl, Valk, Veldhuis, Veldman, Verhoef, Verkerk, Vermeer
Verschoor, Verstegen, Verweij, Visscher, Vogel, Vogels, Voogd, Vroom, Waanders, Walraven, Weijers, Wessels
Westra, Wijnen, Wijnands, Wilms, Winkel, Witteveen, Wouters, Zandstra, Zeeman, Zegers, Zuidema, Zweers
Yılmaz, Özdemir, Çelik, Demir, Şahin, El Amrani, Bouzid, Nguyễn, Kowalski, Müller, Schröder, García
Núñez, Fernández, Gonçalves, Đorđević, Öztürk, Bäcker, Beaufort, Dubois, Lefèvre, Crèvecoeur, Coppoolse
`);

const GIVEN_NAMES = splitList(`
Anna, Sanne, Lisa, Emma, Julia, Sophie, Eva, Lotte, Femke, Anouk, Marieke, Ingrid, Petra, Monique, Esther
Linda, Saskia, Wendy, Kim, Daphne, Iris, Fleur, Roos, Maud, Noor, Tess, Zoë, Chloë, Hélène, Renée, Desirée
Noëlle, Fatima, Samira, Aylin, Elif, Joyce, Manon, Nienke, Hanneke, Ilse, Carla, Ria, Greet, Truus, Wilma
Jan, Piet, Kees, Henk, Gerrit, Willem, Johan, Marco, Peter, Erik, Bas, Tim, Tom, Daan, Sem, Lucas, Levi
Milan, Thijs, Stijn, Ruben, Jesse, Lars, Sven, Niels, Jeroen, Martijn, Dennis, Patrick, Michel, André, René
José, Noël, Joël, Mehmet, Mohammed, Youssef, Emre, Rachid, Ruud, Wim, Theo, Ton, Frans, Hans, Leo, Paul
Rob, Sjaak, Teun, Wouter, Xander, Yvonne, Gijs, Joost, Koen, Maarten, Olaf, Quinten, Rik, Sjoerd, Tjeerd
`);

/** Letters that Dutch given names begin with, the common ones first. */
const INITIALS = [..."JAMHPCGRWTELSBDFKNIVMOYZ"];

/** `van den Berg`: the particle in lower case, as it is written after initials. */
export function familyName(random: Random): string {
  return random.pickSkewed(FAMILY_NAMES);
}

/** `Van den Berg`: the particle with a capital, as it is written when no first name or initial precedes it. */
export function familyNameAlone(random: Random): string {
  const name = familyName(random);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function givenName(random: Random): string {
  return random.pick(GIVEN_NAMES);
}

/** `J.P. van den Berg`, with one to three initials */
export function personWithInitials(random: Random): string {
  const initial = () => `${random.pickSkewed(INITIALS)}.`;
  let initials = initial();
  if (!random.chance(0.35)) {
    initials += initial();
    if (!random.chance(0.7)) initials += initial();
  }
  return `${initials} ${familyName(random)}`;
}

/** `Sanne de Vries` */
export function personByGivenName(random: Random): string {
  return `${givenName(random)} ${familyName(random)}`;
}
