import { expect, test } from 'vitest'
import { ownWords } from '#server/contact/inbound/own-words.ts'

test.each([
  ['nothing quoted', 'Yes.\n\nAino', 'Yes.\n\nAino'],
  ['quoted below', 'Yes.\n\nOn 20 Nov 2026 at 14:00, Noora wrote:\n> Free?\n>\n> Noora\n', 'Yes.'],
  [
    'quoted below, without a blank line, the sentence broken',
    'Yes, at 5.\nOn Fri, 20 Nov 2026 at 14:00 Noora Virtanen-Lehto\n<office@example.com> wrote:\n> Free?',
    'Yes, at 5.',
  ],
  ['in Finnish', 'Joo.\n\npe 20.11.2026 klo 14.00 Noora kirjoitti:\n\n> Vapaa?', 'Joo.'],
  ['in German', 'Ja.\n\nAm 20.11.26 um 14:00 schrieb Noora:\n> Frei?', 'Ja.'],
  ['quoted above', 'On 20 Nov 2026, Noora wrote:\n> Free?\n\nYes.', 'Yes.'],
  [
    'between the lines',
    '> Free?\nYes.\n> Shall we call?\nPlease.',
    '> Free?\nYes.\n> Shall we call?\nPlease.',
  ],
  [
    'Outlook',
    'Yes.\n\n________________________________\nFrom: Office <office@example.com>\nSent: Friday\nTo: Aino\nSubject: Re: Rally [Ticket: abc123]\n\nFree?',
    'Yes.',
  ],
  [
    'Outlook without its line, in Finnish',
    'Joo.\n\nLähettäjä: Office <office@example.com>\nLähetetty: perjantai\nVastaanottaja: Aino\nAihe: Re\n\nVapaa?',
    'Joo.',
  ],
  [
    'a divider in words',
    'Yes.\n\n-----Original Message-----\nFrom: Office\nSent: Friday\n\nFree?',
    'Yes.',
  ],
  ['only a quote', '> Free?', ''],
  ['nothing', '', ''],
  [
    'lists and times that look like fields',
    'Place: Imatra\nTime: 14:00\nCrew: two\n\nAino',
    'Place: Imatra\nTime: 14:00\nCrew: two\n\nAino',
  ],
  ['a line of dashes', 'One\n---\nTwo', 'One\n---\nTwo'],
  [
    'words with a colon before a quote',
    'My answer to this:\n> Free?\nYes.',
    'My answer to this:\n> Free?\nYes.',
  ],
])('%s', (_, text, words) => {
  expect(ownWords(text)).toBe(words)
})
