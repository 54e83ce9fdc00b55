/** A service in our own words, for when the content service has none to give. */
export type FallbackService = {
  title: string
  slug: string
  headline: string
  description: string
  intro: string
  paragraphs: readonly [heading: string, text: string][]
  deliverables: readonly string[]
}

/** What happens from the first message to the last file; the same for every service. */
export const defaultProcess = [
  { title: 'Brief', text: 'You tell us what the season, event or launch has to achieve.' },
  { title: 'Plan', text: 'We reply with a crew, a schedule and a fixed price on one page.' },
  { title: 'Work', text: 'We travel, produce and deliver to the agreed deadlines.' },
  {
    title: 'Hand over',
    text: 'You get every file with captions, rights and an archive to keep it in.',
  },
] as const

/** The seven services of the site (docs/contract.md, Pages), in their usual order. */
export const fallbackServices: readonly FallbackService[] = [
  {
    title: 'Photography',
    slug: 'photography',
    headline: 'Photos that leave the track before you do',
    description:
      'Motorsport photography for teams, drivers, series and partners: trackside, paddock and studio.',
    intro:
      'Stages, circuits, ice and paddock, photographed by people who know where the car will be in two seconds, and delivered while the session is still running.',
    paragraphs: [
      [
        'What we cover',
        'Competition, paddock life, portraits, partner shots and static work with our own lights. Accreditation, tabards and safety briefings are on us.',
      ],
      [
        'How fast it goes',
        'Selected frames leave the camera over a mobile link. An editor captions them with driver, car, place and time, and puts them into your folder during the event.',
      ],
      [
        'Rights in plain English',
        'Use in your own channels, by the press and by the partners named in the order is part of the fee. Advertising and merchandise are agreed in writing before anything goes to print.',
      ],
    ],
    deliverables: [
      'Edited photos in full resolution and web size',
      'Captions with driver, car, place and time',
      'A sponsor shot list, ticked off during the event',
      'A private archive of everything delivered',
    ],
  },
  {
    title: 'Videography',
    slug: 'videography',
    headline: 'Films that outlast the season',
    description:
      'Motorsport films for teams, series and partners: event films, launches, documentaries and vertical clips.',
    intro:
      'From a nine-second vertical clip to a full documentary: written, shot and edited by one small crew, with real engine sound.',
    paragraphs: [
      [
        'What we make',
        'Event films, launch films, portraits, partner cuts and short clips for the phone. One shooting day is planned so that it feeds all of them.',
      ],
      [
        'Sound and words',
        'Engines are recorded separately. Subtitles are written and checked by a person, since most films are watched without sound.',
      ],
      [
        'Ready to broadcast',
        'You get masters for television and the web, with licensed music and clear rights.',
      ],
    ],
    deliverables: [
      'The film at the agreed length, plus a clean version without titles',
      'Vertical and square cuts for social channels',
      'Subtitles in the agreed languages',
      'Licensed music and a list of all rights',
    ],
  },
  {
    title: 'Public Relations',
    slug: 'public-relations',
    headline: 'Right facts, right desk, right time',
    description:
      'Motorsport PR and press office work: releases, press kits, interviews and crisis plans.',
    intro:
      'Press officers who have sat on a sports desk themselves: they write what an editor can use, and answer the phone when something goes wrong.',
    paragraphs: [
      [
        'Press office',
        'Releases, quotes, results and photos go out the moment they’re confirmed. On site we arrange interviews and look after visiting journalists.',
      ],
      [
        'Press kits and lists',
        'Names spelled right, numbers with sources, photos with captions, and a list of editors who asked to hear from you.',
      ],
      [
        'When it gets serious',
        'A plan for accidents and disputes is written before the season, so the first hour isn’t spent hunting for phone numbers.',
      ],
    ],
    deliverables: [
      'Press releases in Finnish and English',
      'A press kit that stays up to date',
      'Interviews arranged and prepared',
      'A report on coverage after each event',
    ],
  },
  {
    title: 'Social Media',
    slug: 'social-media',
    headline: 'Your feed, live from trackside',
    description:
      'Motorsport social media: planning, posts, live coverage and community work for teams and series.',
    intro:
      'Planned posts through the week and a live desk on race days. People who know the rules write the captions, and they know your partners by name.',
    paragraphs: [
      [
        'A plan that survives Friday',
        'Each event has a storyline, a list of obligations to partners and room for the unexpected.',
      ],
      [
        'Live on race days',
        'Photos and clips go out from the paddock within minutes, checked against entry list and timing.',
      ],
      [
        'Numbers that mean something',
        'Once a month you see what worked, what didn’t, and what we’ll change.',
      ],
    ],
    deliverables: [
      'A calendar of posts for every month',
      'Live coverage on the agreed event days',
      'Replies to comments and messages in your tone of voice',
      'A monthly report in plain English',
    ],
  },
  {
    title: 'Website Design',
    slug: 'website-design',
    headline: 'Sites that load before the lights go out',
    description:
      'Website design for motorsport teams, drivers and series: fast, accessible and easy to keep up to date.',
    intro:
      'Sites for a full grandstand on one bar of signal: small, fast, accessible, and easy to edit from a hotel room at midnight.',
    paragraphs: [
      [
        'Built for race weekends',
        'Results, photos and news go online in a minute, and the site stays fast when everyone looks at once.',
      ],
      [
        'For everyone',
        'We design for keyboards, screen readers and bright sunlight, and test for all three.',
      ],
      [
        'Yours to keep',
        'You own the domain, the content and the code. Care contracts run month to month.',
      ],
    ],
    deliverables: [
      'Structure, copy and design made for your audience',
      'A site that passes accessibility and speed checks',
      'An editor that needs no manual',
      'Training, and care after the launch',
    ],
  },
  {
    title: 'Graphic Design',
    slug: 'graphic-design',
    headline: 'Recognised in 1.5 seconds',
    description:
      'Livery and graphic design for motorsport: car liveries, identities, team wear and event graphics.',
    intro:
      'Liveries, identities and event graphics that read at racing speed, on a phone and on the side of a lorry.',
    paragraphs: [
      [
        'Liveries',
        'Drawn on the real shape of the car and tested at thumbnail size. Print files go straight to the wrap shop.',
      ],
      [
        'Identities',
        'Logo, type, colour, race numbers and rules that fit on two pages, so people follow them.',
      ],
      [
        'Everything around the car',
        'Team wear, hospitality, tickets, posters and broadcast graphics by the same designers.',
      ],
    ],
    deliverables: [
      'Drafts on the real car, from three sides',
      'Print files for wrapping and embroidery',
      'A short guide with logos, colours and type',
      'Templates for your own posts and documents',
    ],
  },
  {
    title: 'Media Outsourcing',
    slug: 'media-outsourcing',
    headline: 'Your media department, without the department',
    description:
      'Motorsport media outsourcing: photos, film, PR, social media and design from one crew with one plan.',
    intro: 'A whole media department for the days you need it: one plan, one contact, one invoice.',
    paragraphs: [
      [
        'One department, seven services',
        'You choose which parts we run and which stay in house. A media manager joins your weekly meeting and picks up on Sunday night.',
      ],
      [
        'What changes for you',
        'Press, film and feed tell the same story on the same day, everything lands in one archive, and a second crew covers illness.',
      ],
      [
        'How a season starts',
        'An audit of channels, contracts and obligations comes first, then a plan with crew and budget, then the handover.',
      ],
    ],
    deliverables: [
      'A media manager as your one contact',
      'A season plan with crew and budget for each event',
      'One archive with captions and rights',
      'Reports your partners can use',
    ],
  },
]
