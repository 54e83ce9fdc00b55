import { library } from '../library.ts'

const xml = library('fast-xml-parser')

/**
 * Writes an XML document with its declaration.
 * @param root its one element by name. Names that begin with `@` are attributes; `#text` is the text of an
 *   element that has some
 * @returns XML, UTF-8
 */
export function xmlDocument(root: Readonly<Record<string, unknown>>): string {
  const builder = new (xml().XMLBuilder)({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    textNodeName: '#text',
    format: true,
    indentBy: '  ',
    suppressBooleanAttributes: false,
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(root)}`
}
