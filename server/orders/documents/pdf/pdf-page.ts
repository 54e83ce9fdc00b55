import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { euros } from '#shared/money.ts'
import { fromTheRight } from '#shared/text/text.ts'
import { unpackedWoff } from './woff.ts'

// All that knows pdfkit: another library changes this file and none of the documents.
const kit = Symbol('pdfkit')

/** A document that is being drawn, in points from the upper left corner of the page. */
export type Doc = {
  /** Where the next text begins. */
  y: number
  /** Height of the page. */
  readonly height: number
  /** Begins the next page. */
  addPage(): void
  /** Begins a document with page numbers of its own, on the page that is being drawn. */
  beginDocument(title: string): void
  readonly [kit]: PDFKit.PDFDocument
}
/** A part of its structure, for screen readers. */
export type Parent = { readonly [kit]: PDFKit.PDFStructureElement }

const packageFile = (name: string, file: string) =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file)

/** The face of documents, one that knows more scripts, and one that is plain and knows them all. */
const fonts = {
  text: packageFile('@expo-google-fonts/archivo', '400Regular/Archivo_400Regular.ttf'),
  bold: packageFile('@expo-google-fonts/archivo', '700Bold/Archivo_700Bold.ttf'),
  wide: packageFile('dejavu-fonts-ttf', 'ttf/DejaVuSans.ttf'),
  every: packageFile('@fontsource/unifontex', 'files/unifontex-latin-400-normal.woff'),
}

/** Points between the edge of the paper and what is printed. */
export const margin = 48
/** Points from the left to the right margin. */
export const width = 595.28 - 2 * margin

/** An amount as documents print it. */
export const amount = euros

/** The colour of text. */
export const ink = '#12151a'
/** The colour of what matters less. */
export const soft = '#565c65'
/** The colour of the agency. */
export const accent = '#b3200b'
const rule = '#dcd9d2'
const panelColour = '#f6f4f0'

/** What Archivo has: Latin letters and common signs. */
const common = /^[\u0000-\u024f\u1e80-\u1ef9\u2010-\u2026\u20ac\u2122\u2212]*$/

/** A letter of a script that DejaVu lacks, such as one of Chinese, Japanese, Korean, Thai or Hindi. */
const rare =
  /[^\p{Script=Common}\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}]/u
/** The font of every script, unpacked with the first text that needs it. */
let every: Buffer | undefined

/** Takes a face that has the letters of a text: an invoice spells its buyer. */
function choose(doc: PDFKit.PDFDocument, text: string, face: 'text' | 'bold'): PDFKit.PDFDocument {
  if (common.test(text)) return doc.font(face)
  if (!rare.test(text)) return doc.font('wide')
  every ??= unpackedWoff(readFileSync(fonts.every))
  doc.registerFont('every', every)
  return doc.font('every')
}

/**
 * Draws a tagged PDF on A4 with embedded fonts.
 * @param about its title and author, what it is about, and the civil date it is of
 * @param draw puts everything below the root of its structure; in a file of several documents it says
 *   where each begins
 */
export async function pdf(
  about: { title: string; author: string; subject: string; date: string },
  draw: (doc: Doc, root: Parent) => Promise<void> | void,
): Promise<Buffer> {
  // Loaded with the first document: it brings its own tools for fonts, which take 25 MB.
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    tagged: true,
    bufferPages: true,
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
  const documents = new Map([[0, about.title]])
  const drawn: Doc = {
    get y() {
      return doc.y
    },
    set y(y) {
      doc.y = y
    },
    get height() {
      return doc.page.height
    },
    addPage: () => void doc.addPage(),
    beginDocument: (title) => void documents.set(doc.bufferedPageRange().count - 1, title),
    [kit]: doc,
  }
  await draw(drawn, { [kit]: root })
  numberPages(doc, documents)
  root.end()
  doc.end()
  return done
}

/**
 * Says at the foot of each page which one of its document it is, where that has several: printed ones
 * get mixed up.
 * @param documents the title of each, by the page on which it begins
 */
function numberPages(doc: PDFKit.PDFDocument, documents: ReadonlyMap<number, string>): void {
  const { count: end } = doc.bufferedPageRange()
  const starts = [...documents.keys(), end]
  for (const [which, [start, title]] of [...documents].entries()) {
    const count = starts[which + 1]! - start
    if (count === 1) continue
    for (let at = 0; at < count; at += 1) {
      doc.switchToPage(start + at)
      // What is written below the margin would begin a page of its own.
      doc.page.margins.bottom = 0
      doc.markContent('Artifact', { type: 'Pagination' })
      doc.font('text').fontSize(8).fillColor(soft)
      doc.text(`${title}, page ${at + 1} of ${count}`, margin, doc.page.height - margin + 12, {
        width,
        align: 'right',
        lineBreak: false,
      })
      doc.endMarkedContent()
    }
  }
}

/** A part of the structure with parts of its own, such as a section (`Sect`), a table or a list (`L`). */
export function within(
  { [kit]: doc }: Doc,
  { [kit]: parent }: Parent,
  type: 'Sect' | 'Table' | 'TR' | 'L',
  draw: (part: Parent) => void,
): void {
  const element = doc.struct(type)
  parent.add(element)
  draw({ [kit]: element })
  element.end()
}

/** What is seen and not read: rectangles of one colour on white, with a text for screen readers. */
export function figure(
  { [kit]: doc }: Doc,
  { [kit]: parent }: Parent,
  { alt, ground, shapes }: { alt: string; ground: Box; shapes: readonly Box[] },
): void {
  parent.add(
    doc.struct('Figure', { alt }, () => {
      doc.rect(...sides(ground)).fill('#fff')
      for (const shape of shapes) doc.rect(...sides(shape))
      doc.fill('#000')
    }),
  )
}

/** A rectangle. */
export type Box = { x: number; y: number; width: number; height: number }

const sides = ({ x, y, width: across, height }: Box) => [x, y, across, height] as const

/** A JPEG or PNG file, as large as fits into a box. */
export function picture(
  { [kit]: doc }: Doc,
  { [kit]: parent }: Parent,
  { alt, path, box }: { alt: string; path: string; box: Box },
): void {
  parent.add(
    doc.struct('Figure', { alt }, () => {
      doc.image(path, box.x, box.y, { fit: [box.width, box.height] })
    }),
  )
}

/** A word with a letter of the scripts that are written from the right. */
const isFromTheRight = (word: string) => fromTheRight.test(word)

/**
 * A text as pdfkit sets it in the right order. It turns each word around, but leaves the words of Hebrew
 * and Arabic where those of English stand, so that a name read backwards: joined by spaces that don't
 * break, they are one word to it, for as long as a line is. The space behind a turned word stands before
 * it, so another one keeps it from the word that follows.
 */
const inOrder = (doc: PDFKit.PDFDocument, text: string, across: number): string =>
  text
    .split('\n')
    .map((part) => (isFromTheRight(part) ? lineInOrder(doc, part, across) : part))
    .join('\n')

function lineInOrder(doc: PDFKit.PDFDocument, text: string, across: number): string {
  let joined = ''
  let set = ''
  for (const word of text.split(' ')) {
    const isJoined = isFromTheRight(joined) && isFromTheRight(word)
    if (isJoined && doc.widthOfString(`${joined}\u00a0${word}`) <= across) {
      joined += `\u00a0${word}`
      continue
    }
    set += `${joined}${isFromTheRight(joined) ? '  ' : ' '}`
    joined = word
  }
  return `${set}${joined}`.slice(1)
}

/** Text as a structure element of its own, in a face that has its letters. */
export function write(
  { [kit]: doc }: Doc,
  { [kit]: parent }: Parent,
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
    width?: number
    align?: 'left' | 'right' | 'center'
    lineGap?: number
  } = {},
): void {
  const { x = doc.x, y = doc.y, ...rest } = options
  parent.add(
    doc.struct(type, {}, () => {
      choose(doc, text, font).fontSize(size).fillColor(colour)
      const across = rest.width ?? margin + width - x
      doc.text(inOrder(doc, text, across), x, y, rest)
    }),
  )
}

/** How many points a text of {@link write} takes from top to bottom. */
const heightOf = (
  { [kit]: doc }: Doc,
  text: string,
  { font, size, width: across }: { font: 'text' | 'bold'; size: number; width: number },
): number => {
  choose(doc, text, font).fontSize(size)
  return doc.heightOfString(inOrder(doc, text, across), { width: across })
}

/** Labelled values, a line each: the label in a soft colour, the value bold. Null values are left out. */
export function facts(
  { [kit]: doc }: Doc,
  { [kit]: parent }: Parent,
  rows: readonly (readonly [label: string, value: string | null])[],
  { x, width: across }: { x: number; width: number },
): void {
  for (const [label, value] of rows) {
    if (!value) continue
    const { y } = doc
    parent.add(
      doc.struct('P', {}, () => {
        doc.font('text').fontSize(9.5).fillColor(soft)
        doc.text(`${label}: `, x, y, { continued: true, width: across, lineGap: 3 })
        choose(doc, value, 'bold').fillColor(ink)
        doc.text(inOrder(doc, value, across))
      }),
    )
  }
}

/** A panel behind what is drawn next, with a bar of the accent colour at its left. */
export const panel = (doc: Doc, y: number, height: number): void =>
  decoration(doc, [
    { x: margin, y, width, height, colour: panelColour },
    { x: margin, y, width: 3, height, colour: accent },
  ])

/** A bar of the accent colour along the upper edge of the paper. */
export const edge = (doc: Doc): void =>
  decoration(doc, [{ x: 0, y: 0, width: width + 2 * margin, height: 6, colour: accent }])

/** A column of a table: points from the margin, and its width. */
export type Column = { label: string; x: number; width: number; align: 'left' | 'right' }

/** A table: its head, which is repeated on each page that it goes on to, and its rows. */
export function table(
  doc: Doc,
  parent: Parent,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): void {
  within(doc, parent, 'Table', (element) => {
    const head = columns.map(({ label }) => label)
    // A head at the foot of a page would be above nothing.
    const beginning =
      rowHeight(doc, columns, head, 'TH') + rowHeight(doc, columns, rows[0] ?? [], 'TD')
    if (doc.y + beginning > lowest(doc) && doc.y > margin) doc.addPage()
    row(doc, element, columns, { cells: head, type: 'TH' })
    for (const [at, cells] of rows.entries()) {
      // A cell that went on by itself would have the others at the foot of the page after it.
      if (at > 0 && doc.y + rowHeight(doc, columns, cells, 'TD') > lowest(doc)) {
        doc.addPage()
        headAgain(doc, columns)
      }
      row(doc, element, columns, { cells, type: 'TD' })
    }
  })
}

/** Where the last line of a page ends. */
const lowest = (doc: Doc): number => doc.height - margin

const rowFonts = {
  TH: { font: 'bold', size: 8.5, colour: soft },
  TD: { font: 'text', size: 9.5, colour: ink },
} as const

type RowType = keyof typeof rowFonts

/** How many points the texts of a row take from top to bottom. */
const rowHeight = (
  doc: Doc,
  columns: readonly Column[],
  cells: readonly string[],
  type: RowType,
): number =>
  Math.max(
    0,
    ...cells.map((text, at) =>
      heightOf(doc, text, { ...rowFonts[type], width: columns[at]!.width }),
    ),
  )

/** A row of a table; the first one tells the columns. */
function row(
  doc: Doc,
  parent: Parent,
  columns: readonly Column[],
  { cells, type }: { cells: readonly string[]; type: RowType },
): void {
  const top = doc.y
  let bottom = top
  within(doc, parent, 'TR', (element) => {
    for (const [at, text] of cells.entries()) {
      const { x, width: cell, align } = columns[at]!
      const box = { x: margin + x, y: top, width: cell, align }
      write(doc, element, type, text, { ...rowFonts[type], ...box })
      bottom = Math.max(bottom, doc.y)
    }
  })
  endRow(doc, bottom)
}

/** The head of a table once more, on a page that it goes on to; screen readers have read it. */
function headAgain(doc: Doc, columns: readonly Column[]): void {
  const { [kit]: page } = doc
  const { y } = doc
  page.markContent('Artifact', { type: 'Layout' })
  page.font('bold').fontSize(rowFonts.TH.size).fillColor(rowFonts.TH.colour)
  for (const { label, x, width: across, align } of columns) {
    page.text(label, margin + x, y, { width: across, align })
  }
  page.endMarkedContent()
  endRow(doc, doc.y)
}

/** The line below a row. */
function endRow(doc: Doc, bottom: number): void {
  doc.y = bottom + 5
  line(doc)
  doc.y += 6
}

/** A fine line across the page. */
const line = (doc: Doc): void =>
  decoration(doc, [{ x: margin, y: doc.y - 0.25, width, height: 0.5, colour: rule }])

/** Filled rectangles that screen readers skip. */
export function decoration(
  { [kit]: doc }: Doc,
  boxes: readonly (Box & { readonly colour: string })[],
): void {
  doc.markContent('Artifact', { type: 'Layout' })
  for (const { colour, ...box } of boxes) doc.rect(...sides(box)).fill(colour)
  doc.endMarkedContent()
}
