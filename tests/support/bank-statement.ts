/** A statement of a Finnish bank as CSV, with some transfers of 21 November 2026. */
export const statement = (...rows: (readonly [amount: string, reference: string, id: string])[]) =>
  [
    '"Kirjauspäivä";"Arvopäivä";"Määrä EUROA";"Laji";"Selitys";"Saaja/Maksaja";"Viite";"Viesti";"Arkistointitunnus"',
    ...rows.map(
      ([amount, reference, id]) =>
        `"21.11.2026";"21.11.2026";"${amount}";"588";"VIITESIIRTO";"Aino Virtanen";"ref=${reference}";"";"${id}"`,
    ),
  ].join('\r\n')

/** A statement as camt.053, with some transfers of the same day; with the payer's account where there is one. */
export const camt = (
  rows: readonly { amount: string; reference: string; id: string; iban?: string }[],
) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
${rows
  .map(
    ({
      amount,
      reference,
      id,
      iban,
    }) => `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-11-21</Dt></BookgDt><AcctSvcrRef>${id}</AcctSvcrRef><NtryDtls><TxDtls>
<RltdPties><Dbtr><Nm>Äijö &amp; Søn – Racing</Nm></Dbtr>${iban ? `<DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct>` : ''}</RltdPties>
<RmtInf><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  )
  .join('\n')}
</Stmt></BkToCstmrStmt></Document>`
