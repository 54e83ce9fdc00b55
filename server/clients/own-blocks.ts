import * as z from 'zod/mini'
import { bytesText } from '#shared/text/bytes.ts'
import type { BlockRow, BlockVideo } from '#shared/clients/panel-block.ts'
import { withheldTexts } from '#shared/folders/withheld.ts'
import { linkedPaths } from '#shared/linked-paths.ts'
import { panelDay, type BlockOwner, type PanelBlock } from '../contributions/panel-block.ts'
import { withheldOf, keepsLocation, scopeOf, type PanelMetadata } from './panel-files.ts'
import type { PanelStore } from './panels.ts'
import type { PanelFile } from './schema.ts'

/** Where a link of a panel may lead: to another site, or to a page of ours. */
const linkAddress = z
  .string()
  .check(
    z.maxLength(2048),
    z.refine(isLinkAddress, 'must be an http(s) address or a path of this site'),
  )

const links = z._default(z.array(z.object({ title: z.string(), url: linkAddress })), [])

/** Whether the files leave with position, serial numbers and owner. */
const keepLocation = z.optional(z.boolean())

/** What staff write into blocks; files are in their own table. */
const blockData = {
  text: z.object({ text: z.string() }),
  links: z.object({ links }),
  files: z.object({ keepLocation }),
  videos: z.object({ links, keepLocation }),
} as const

/** The kinds that need nothing but the panel itself. */
export function ownBlocks({
  panels,
  metadata,
}: {
  panels: PanelStore
  metadata: PanelMetadata
}): PanelBlock[] {
  return [
    textBlock('text', 'Welcome'),
    textBlock('notes', 'Notes'),
    filesBlock(panels, metadata),
    linksBlock,
    videosBlock(panels),
  ]
}

const textBlock = (kind: 'text' | 'notes', title: string): PanelBlock => ({
  kind,
  title,
  by: 'staff',
  content: { schema: blockData.text, options: ['text'] },
  load: ({ own }) => ({
    view: 'text',
    paragraphs: paragraphs(blockData.text.parse(own?.data).text),
  }),
})

const filesBlock = (panels: PanelStore, metadata: PanelMetadata): PanelBlock => ({
  kind: 'files',
  title: 'Files',
  by: 'staff',
  content: { schema: blockData.files, options: ['file'] },
  async load({ client, session, own }) {
    const files = panels.files(own!.id)
    const withheld = keepsLocation(own!) ? new Set() : await withheldOf(files, metadata)
    const row = (file: PanelFile): BlockRow => {
      const isWithheld = withheld.has(file.id)
      const isOpen = !isWithheld && session.scopes.has(scopeOf(file, { kind: 'files' }))
      return {
        title: file.name,
        detail: isWithheld
          ? `${withheldTexts.one} Please ask us for it.`
          : `Added ${panelDay(file.addedAt)}`,
        value: bytesText(file.bytes),
        href: isOpen ? linkedPaths.panelFile(client.panel, file.id) : null,
        way: 'file',
      }
    }
    return { view: 'rows', rows: files.map(row) }
  },
})

const linksBlock: PanelBlock = {
  kind: 'links',
  title: 'Links',
  by: 'staff',
  content: { schema: blockData.links, options: ['link'] },
  load: ({ own }) => ({
    view: 'rows',
    rows: blockData.links.parse(own?.data).links.map(({ title, url }) => ({
      title,
      detail: url.startsWith('/') ? null : new URL(url).host,
      href: url,
      way: url.startsWith('/') ? 'page' : 'elsewhere',
    })),
  }),
}

const videosBlock = (panels: PanelStore): PanelBlock => ({
  kind: 'videos',
  title: 'Films',
  by: 'staff',
  content: { schema: blockData.videos, options: ['link', 'file'] },
  load: (owner) => ({ view: 'videos', videos: films(owner, panels) }),
})

function films({ client, own, session }: BlockOwner, panels: PanelStore): BlockVideo[] {
  return [
    ...panels
      .files(own!.id)
      .filter((file) => session.scopes.has(scopeOf(file, { kind: 'videos' })))
      .map(({ id, name }: PanelFile) => ({
        title: name.replace(/\.\w+$/, ''),
        source: linkedPaths.panelFile(client.panel, id),
        href: null,
      })),
    ...blockData.videos
      .parse(own?.data)
      .links.map(({ title, url }) => ({ title, source: null, href: url })),
  ]
}

/** Texts are plain; an empty line begins a paragraph. */
const paragraphs = (text: string) =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)

/** An http(s) address without credentials, or a path of this site. */
function isLinkAddress(url: string): boolean {
  if (/^\/(?![/\\])/.test(url)) return true
  if (!URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && !username && !password
}
