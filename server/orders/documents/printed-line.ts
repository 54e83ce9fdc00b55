import { plainLine, shortened } from '#shared/text/text.ts'

/** Characters of a line that a stranger may have printed. */
const maxCharacters = 70
/** Those of a company with a VAT ID, and of who is known: the law wants the whole name. */
const maxOfKnown = 200

/** How much of a line is printed of the buyer of an order. */
export const printedLength = ({
  verifiedAt,
  company,
  vatId,
}: {
  verifiedAt: number | null
  company: string | null
  vatId: string | null
}): number =>
  verifiedAt !== null || (company !== null && vatId !== null) ? maxOfKnown : maxCharacters

/** Whether something before a slash ends as a domain does, such as `example.com/`. */
const endsInDomain = (word: string): boolean =>
  word
    .split('/')
    .slice(0, -1)
    .some(
      (part) => /^\p{L}{2,}$/u.test(part.slice(part.lastIndexOf('.') + 1)) && part.includes('.'),
    )

/** Whether a word is an address of the web, as people and mail programs recognise it. */
const isAddress = (word: string): boolean =>
  word.includes('://') || /www\./i.test(word) || endsInDomain(word)
/** What makes a word look like an address of either. */
const joints = /(?<=[\p{L}\p{N}])\.(?=\p{L}{2,})|@|\/(?=\/)/gu
const invisible = /[\p{Cf}\p{Co}\p{Cn}]/gu

/**
 * A line that someone typed, as it may be printed in what we send to a mailbox that anyone could have
 * entered: name and address for an invoice, without anything that can be clicked.
 * @param max characters of it, 70 of a stranger's
 * @returns an empty text where nothing else is left
 */
export const printedLine = (text: string, max = maxCharacters): string =>
  shortened(
    plainLine(text)
      .replaceAll(invisible, '')
      .split(/\s+/)
      .filter((word) => !isAddress(word))
      .join(' ')
      .replaceAll(joints, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    max,
  )

/** What XML 1.0 has no way to write. */
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A text as XML can have it. */
export const xmlText = (text: string): string => text.replaceAll(unwritable, '')
