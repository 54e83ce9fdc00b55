/**
 * In which order results come: the points of how the term is found, plus those of the kind, less what
 * is over. Among equal points what is soonest comes first, then what has the words more often and in
 * better places ({@link fieldWeights}).
 */

/** Points by the best way in which a document has the term. */
export const matchPoints = {
  /** Its title, or one of its other names, is the term. */
  named: 400,
  /** All words are in its title or its other names. */
  title: 300,
  /** All words are in the title or the short text: it speaks of them itself. */
  words: 200,
  /** All words are there with the help of its tags or its long text. */
  anywhere: 100,
} as const

/**
 * Points by the kind of a result: where its title or name has the term, and elsewhere. They are too
 * few to lift it above a better match. A service is what visitors came for; what a question answers
 * goes before what others mention.
 */
const kindPoints: Readonly<Record<string, { title: number; elsewhere: number }>> = {
  pages: { title: 60, elsewhere: 60 },
  services: { title: 60, elsewhere: 40 },
  faq: { title: 50, elsewhere: 50 },
  events: { title: 40, elsewhere: 30 },
  products: { title: 30, elsewhere: 20 },
  portfolio: { title: 20, elsewhere: 15 },
  news: { title: 10, elsewhere: 10 },
}

/** The points of a kind; one that isn't in the list has none. */
export const pointsOf = (kind: string) => kindPoints[kind] ?? { title: 0, elsewhere: 0 }

/** Taken from what is over, so it comes after everything else. */
export const overPoints = 1000

/** How much a word counts by where it is. */
export const fieldWeights = { title: 40, names: 20, tags: 10, intro: 2, body: 1 } as const
