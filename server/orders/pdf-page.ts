import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
// oxlint-disable-next-line import/no-named-as-default -- its types know the default export alone
import PDFDocument from 'pdfkit'

/** A document that is being drawn, and a part of its structure. */
export type Doc = PDFKit.PDFDocument
export type Parent = PDFKit.PDFStructureElement

const packageFile = (name: string, file: string) =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file)

/** The face of documents, and one that knows the scripts that it lacks. */
const fonts = {
  text: packageFile('@expo-google-fonts/archivo', '400Regular/Archivo_400Regular.ttf'),
  bold: packageFile('@expo-google-fonts/archivo', '700Bold/Archivo_700Bold.ttf'),
  wide: packageFile('dejavu-fonts-ttf', 'ttf/DejaVuSans.ttf'),
}

/** Points between the edge of the paper and what is printed, and the width of that. */
export const margin = 48
export const width = 595.28 - 2 * margin

/** Colours of text and lines. */
export const ink = '#12151a'
export const soft = '#565c65'
export const accent = '#b3200b'
const rule = '#dcd9d2'

/** What Archivo has: Latin letters and common signs. */
const common = /^[\u0000-\u024f\u1e80-\u1ef9\u2010-\u2026\u20ac\u2122\u2212]*$/

/**
 * Draws a tagged PDF on A4 with embedded fonts.
 * @param about its title and author, what it is about, and the civil date it is of
 * @param draw puts everything below the root of its structure
 */
export async function pdf(
  about: { title: string; author: string; subject: string; date: string },
  draw: (doc: Doc, root: Parent) => Promise<void> | void,
): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    tagged: true,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    info: {
      Title: about.title,
      Author: about.author,
      Subject: about.subject,
      CreationDate: new Date(`${about.date}T12:00:00Z`),
    },
  })
  doc.registerFont('text', fonts.text)
  doc.registerFont('bold', fonts.bold)
  doc.registerFont('wide', fonts.wide)
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => void chunks.push(chunk))
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  const root = doc.struct('Document')
  doc.addStructure(root)
  await draw(doc, root)
  root.end()
  doc.end()
  return done
}

/** Text as a structure element of its own, in a face that has its letters. */
export function write(
  doc: Doc,
  parent: Parent,
  type: string,
  text: string,
  {
    font = 'text',
    size = 9.5,
    colour = ink,
    ...options
  }: {
    font?: 'text' | 'bold'
    size?: number
    colour?: string
    x?: number
    y?: number
  } & PDFKit.Mixins.TextOptions = {},
): void {
  const { x = doc.x, y = doc.y, ...rest } = options
  parent.add(
    doc.struct(type, {}, () => {
      doc
        .font(common.test(text) ? font : 'wide')
        .fontSize(size)
        .fillColor(colour)
        .text(text, x, y, rest)
    }),
  )
}

/** A column of a table: points from the margin, and its width. */
export type Column = { label: string; x: number; width: number; align: 'left' | 'right' }

/** A row of a table; the first one tells the columns. */
export function row(
  doc: Doc,
  parent: Parent,
  columns: readonly Column[],
  { cells, type }: { cells: readonly string[]; type: 'TH' | 'TD' },
): void {
  const element = doc.struct('TR')
  parent.add(element)
  const top = doc.y
  let bottom = top
  for (const [at, text] of cells.entries()) {
    const { x, width: cell, align } = columns[at]!
    write(doc, element, type, text, {
      font: type === 'TH' ? 'bold' : 'text',
      size: type === 'TH' ? 8.5 : 9.5,
      colour: type === 'TH' ? soft : ink,
      x: margin + x,
      y: top,
      width: cell,
      align,
    })
    bottom = Math.max(bottom, doc.y)
  }
  element.end()
  doc.y = bottom + 5
  line(doc)
  doc.y += 6
}

/** A fine line across the page. */
export const line = (doc: Doc): void =>
  decoration(doc, () =>
    doc
      .moveTo(margin, doc.y)
      .lineTo(margin + width, doc.y)
      .lineWidth(0.5)
      .strokeColor(rule)
      .stroke(),
  )

/** What readers of the page need not hear. */
export function decoration(doc: Doc, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' })
  draw()
  doc.endMarkedContent()
}
