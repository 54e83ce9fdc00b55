import type { Command } from 'commander'
import type { UseConfig, UseContext } from './common/command.ts'
import type { Print } from './common/print.ts'

/** What commands work with. */
export type Tools = {
  useConfig: UseConfig
  useContext: UseContext
  env: NodeJS.ProcessEnv
  print: Print
}

/** A noun, or a verb without one. */
type Noun = {
  name: string
  description: string
  /** Arguments of a verb without a noun, as help shows them. */
  args?: string
  /** Loads its module and adds its verbs, or what it does. */
  addTo(command: Command, tools: Tools): Promise<void>
}

/** A noun whose module takes what nearly all of them do. */
const noun = (
  name: string,
  description: string,
  load: () => Promise<(command: Command, useContext: UseContext, print: Print) => void>,
  args?: string,
): Noun => ({
  name,
  description,
  ...(args !== undefined && { args }),
  addTo: async (command, { useContext, print }) => (await load())(command, useContext, print),
})

/** Everything the command line knows, in the order of its help. */
export const nouns: readonly Noun[] = [
  noun(
    'today',
    'list what needs staff: late and due replies, requests, orders, failed emails',
    async () => (await import('./desk.ts')).addToday,
  ),
  noun(
    'find',
    'find people, tickets, bookings, orders, clients, folders, links and emails',
    async () => (await import('./desk.ts')).addFind,
    '<words...>',
  ),
  noun(
    'person',
    'show everything from an email address, newest first',
    async () => (await import('./desk.ts')).addPerson,
    '<email>',
  ),
  noun(
    'history',
    'list who did what, newest first',
    async () => (await import('./history.ts')).addHistory,
  ),
  noun(
    'tickets',
    'messages from the contact form',
    async () => (await import('./tickets.ts')).addTickets,
  ),
  noun('mail', 'emails sent by the site', async () => (await import('./mail.ts')).addMail),
  noun(
    'clients',
    'clients and staff with access codes',
    async () => (await import('./clients/clients.ts')).addClients,
  ),
  noun(
    'codes',
    'access codes of clients and staff',
    async () => (await import('./clients/codes.ts')).addCodes,
  ),
  noun(
    'panels',
    'the blocks of clients’ panels',
    async () => (await import('./clients/panels.ts')).addPanels,
  ),
  noun(
    'folders',
    'galleries shared with clients',
    async () => (await import('./folders/folders.ts')).addFolders,
  ),
  noun(
    'links',
    'short links and their clicks',
    async () => (await import('./links/links.ts')).addLinks,
  ),
  noun(
    'products',
    'products in the shop',
    async () => (await import('./products/products.ts')).addProducts,
  ),
  noun(
    'discounts',
    'discount codes of the shop',
    async () => (await import('./discounts.ts')).addDiscounts,
  ),
  noun(
    'gift-cards',
    'gift cards of the shop',
    async () => (await import('./gift-cards.ts')).addGiftCards,
  ),
  noun(
    'orders',
    'shop orders and invoices',
    async () => (await import('./orders/orders.ts')).addOrders,
  ),
  noun(
    'bookings',
    'booking requests and bookings',
    async () => (await import('./bookings/bookings.ts')).addBookings,
  ),
  noun(
    'events',
    'the season in CONTENT_DIR/events.json',
    async () => (await import('./events/events.ts')).addEvents,
  ),
  noun(
    'newsletter',
    'the mailing list',
    async () => (await import('./newsletter/newsletter.ts')).addNewsletter,
  ),
  {
    name: 'content',
    description: 'content files',
    addTo: async (command, tools) =>
      (await import('./content.ts')).addContent(command, tools, tools.print),
  },
  noun(
    'sitemap',
    'sitemap for search engines',
    async () => (await import('./sitemap.ts')).addSitemap,
  ),
  noun('jobs', 'scheduled jobs', async () => (await import('./jobs.ts')).addJobs),
  noun('privacy', 'personal data', async () => (await import('./privacy.ts')).addPrivacy),
  noun('stats', 'daily page statistics', async () => (await import('./stats.ts')).addStats),
  {
    name: 'backup',
    description: 'backups of the whole site',
    addTo: async (command, tools) =>
      (await import('./backup.ts')).addBackup(command, tools, tools.print),
  },
  noun(
    'keys',
    'keys that sign links, sessions and codes',
    async () => (await import('./keys.ts')).addKeys,
  ),
  {
    name: 'doctor',
    description: 'check configuration, database, disk, mail and content',
    addTo: async (command, tools) =>
      (await import('./doctor.ts')).addDoctor(command, tools, tools.print),
  },
  {
    name: 'completion',
    description: 'print a script that completes commands in bash, zsh or fish',
    async addTo(command, tools) {
      const { addCompletion } = await import('./completion.ts')
      addCompletion(command, (program) => addAllVerbs(program, tools), tools.print)
    },
  },
]

/** Adds the verbs of every noun but that of completions, whose own command runs. */
async function addAllVerbs(program: Command, tools: Tools): Promise<void> {
  for (const { name, addTo } of nouns) {
    const command = program.commands.find((each) => each.name() === name)
    if (command && name !== 'completion') await addTo(command, tools)
  }
}
