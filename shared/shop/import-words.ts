/**
 * What buyers outside of the customs area of the union have to know, and those on Åland, which is in it
 * but outside of the VAT area: whoever receives a parcel there declares it (Act on Åland exceptions
 * 1266/1996).
 */
export const importWords =
  'Outside the EU, import VAT, customs duty and the carrier’s handling fee aren’t included. You pay them to the carrier when the parcel arrives. Åland has no customs duty, but our price is without VAT: you declare the parcel to Finnish Customs and pay its VAT there.'
