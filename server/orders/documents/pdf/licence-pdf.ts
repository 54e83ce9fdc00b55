import { longDate } from '#shared/dates/date-format.ts'
import { licenceUses, territoryName, termText } from '#shared/shop/licences.ts'
import type { Seller } from '../invoice-document.ts'
import type { LicenceDocument } from '../licence-document.ts'
import {
  accent,
  edge,
  facts,
  margin,
  pdf,
  picture,
  soft,
  width,
  write,
  type Doc,
  type Parent,
} from './pdf-page.ts'

/** A picture to show on a licence: a JPEG or PNG file. */
export type LicencePicture = { readonly path: string }

/**
 * Draws licences as a tagged PDF, a page for each: what was licensed to whom, for what, where and how
 * long, with the words of the licence as they were when it was sold.
 * @param pictures of the licences, in their order; null for one without a picture
 */
export const licencePdf = (
  licences: readonly LicenceDocument[],
  pictures: readonly (LicencePicture | null)[],
  seller: Seller,
): Promise<Buffer> =>
  pdf(
    {
      title: `Licence ${licences.map(({ number }) => number).join(', ')}`,
      author: seller.name,
      subject: `Order ${licences[0]!.order}`,
      date: licences[0]!.from,
    },
    (doc, root) => {
      for (const [at, licence] of licences.entries()) {
        if (at > 0) doc.addPage()
        page(doc, root, licence, { image: pictures[at] ?? null, seller })
      }
    },
  )

function page(
  doc: Doc,
  root: Parent,
  document: LicenceDocument,
  { image, seller }: { image: LicencePicture | null; seller: Seller },
): void {
  const { licence, number, title, licensee, from, until, files, quantity } = document
  doc.beginDocument(`Licence ${number}`)
  edge(doc)
  write(doc, root, 'P', seller.name, { font: 'bold', size: 13, x: margin, y: margin })
  write(doc, root, 'H1', `Licence ${number}`, {
    font: 'bold',
    size: 22,
    x: margin,
    y: margin + 30,
    width,
  })
  doc.y += 2
  write(doc, root, 'P', `${licence.name}, version ${licence.version}`, { colour: soft, x: margin })
  doc.y += 14
  if (image) {
    const { y } = doc
    const box = { x: margin, y, width, height: 170 }
    picture(doc, root, { alt: `The licensed image: ${title}`, path: image.path, box })
    doc.y = y + box.height + 16
  }
  const rows: [string, string | null][] = [
    ['Licensee', licensee],
    ['Licensor', [seller.name, ...seller.address].join(', ')],
    ['Work', title],
    ['Files', files.join(', ')],
    ['Number of licences', quantity > 1 ? String(quantity) : null],
    ['Use', licenceUses[licence.use]],
    ['Territory', capital(territoryName(licence.territory) ?? licence.territory)],
    [
      'Term',
      until === null
        ? `${capital(termText(null))}, from ${longDate(from)}`
        : `${capital(termText(licence.months))}: ${longDate(from)} to ${longDate(until)}`,
    ],
    ['Exclusive', licence.exclusive ? 'Yes' : 'No'],
    ['Print run', licence.printRun === null ? 'No limit' : `Up to ${licence.printRun} copies`],
    ['For', licence.licensee],
    ['Order', document.order],
    ['Invoice', document.invoice === null ? null : String(document.invoice)],
  ]
  facts(doc, root, rows, { x: margin, width })
  doc.y += 16
  write(doc, root, 'H2', 'Permitted use', {
    size: 8.5,
    colour: accent,
    font: 'bold',
    x: margin,
    width,
  })
  doc.y += 3
  write(doc, root, 'P', licence.text, { x: margin, width, lineGap: 2.5 })
  doc.y += 10
  write(doc, root, 'P', 'This licence takes effect once its invoice is paid.', {
    x: margin,
    width,
    colour: soft,
  })
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
