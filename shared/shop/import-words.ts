/**
 * What buyers outside of the customs area or the VAT area of the union have to know, by their postal code if
 * need be, and those on Åland: whoever receives a parcel there declares it (Act on Åland exceptions
 * 1266/1996). For goods, Northern Ireland is a part of both areas.
 */
export const importWords =
  'Outside the EU, import VAT, customs duty and the carrier’s handling fee aren’t included. You pay them to the carrier when the parcel arrives. The same goes for parts of EU countries outside the VAT area, such as the Canary Islands, Réunion, Livigno and Greenland, but not for Northern Ireland, where our price includes VAT. Åland has no customs duty, but our price is without VAT: you declare the parcel to Finnish Customs and pay its VAT there.'
