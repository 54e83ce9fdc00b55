/** A statement of a Finnish bank as CSV, with some transfers of 21 November 2026. */
export const statement = (...rows: (readonly [amount: string, reference: string, id: string])[]) =>
  [
    '"Kirjauspäivä";"Arvopäivä";"Määrä EUROA";"Laji";"Selitys";"Saaja/Maksaja";"Viite";"Viesti";"Arkistointitunnus"',
    ...rows.map(
      ([amount, reference, id]) =>
        `"21.11.2026";"21.11.2026";"${amount}";"588";"VIITESIIRTO";"Aino Virtanen";"ref=${reference}";"";"${id}"`,
    ),
  ].join('\r\n')
