import { expect, test } from 'vitest'
import type { StaffTicketView } from '#shared/contact/tickets.ts'
import { saveEnquiry } from '../../support/enquiry.ts'
import { runCli } from '../../support/run-cli.ts'
import { startSite } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

test('text blocks are kept at the command line, and filled in for a ticket', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site, { Name: 'Aino {ticket} $& Virtanen' })
  const blocks = async (...args: string[]) => runCli(['tickets', 'blocks', ...args], site)
  expect((await blocks('list')).out).toContain('No text blocks.')
  expect((await blocks('add', 'Prices', '--text', 'Dear {name},\n\nsee {ticket}.')).out).toContain(
    'Prices: added',
  )
  expect((await blocks('add', 'Busy', '--text', 'We’re busy.')).code).toBe(0)
  expect((await blocks('edit', 'busy', '--title', 'Away', '--text', 'We’re away.')).out).toContain(
    'Away: changed',
  )
  expect(JSON.parse((await blocks('list', '--json')).out)).toEqual([
    { title: 'Away', text: 'We’re away.' },
    { title: 'Prices', text: 'Dear {name},\n\nsee {ticket}.' },
  ])
  const { headers } = await signIn(site, ['desk'])
  const { json } = await site.get('/api/desk/tickets/abc123', { headers })
  expect((json as unknown as StaffTicketView).blocks).toMatchObject([
    { title: 'Away' },
    { title: 'Prices', text: 'Dear Aino {ticket} $& Virtanen,\n\nsee abc123.' },
  ])
  expect((await blocks('remove', 'PRICES')).out).toContain('Dry run: nothing changed.')
  expect((await blocks('remove', 'PRICES', '--yes')).out).toContain('Prices: removed')
  expect(JSON.parse((await blocks('list', '--json')).out)).toHaveLength(1)
})

const refused: [args: string[], message: string][] = [
  [['add', ' ', '--text', 'A'], 'Please give the block a title.'],
  [['add', 'A', '--text', ' \n'], 'Please write the text of the block.'],
  [['add', 'x'.repeat(61), '--text', 'A'], 'Please use at most 60 characters.'],
  [['add', 'A', '--text', 'x'.repeat(4_001)], 'Please use at most 4,000 characters.'],
  [['add', 'A', '--text', 'Dear {nmae}'], 'Only {name} and {ticket} can be filled in.'],
  [['add', 'A', '--text', '{constructor}'], 'Only {name} and {ticket} can be filled in.'],
  [['add', 'prices', '--text', 'A'], 'There is already a text block “Prices”.'],
  [['edit', 'Prices', '--text', ''], 'Please write the text of the block.'],
  [['edit', 'Prices'], 'Nothing to change: say what.'],
  [['edit', 'Nothing', '--text', 'A'], 'Text block not found: Nothing.'],
  [['remove', 'Nothing'], 'Text block not found: Nothing.'],
]

test('titles and texts that don’t fit are refused, with a sentence', async () => {
  await using site = await startSite({ sending: false })
  await runCli(['tickets', 'blocks', 'add', 'Prices', '--text', 'A'], site)
  for (const [args, message] of refused) {
    const { code, err } = await runCli(['tickets', 'blocks', ...args], site)
    expect(code).not.toBe(0)
    expect(err).toContain(message)
  }
  expect(site.context.features.contact.blocks.list()).toMatchObject([
    { title: 'Prices', text: 'A' },
  ])
})
