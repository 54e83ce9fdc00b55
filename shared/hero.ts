/** Characters that a small screen shows of the hero's texts; longer ones are cut there. */
export const heroTextLimits = { title: 40, subtitle: 100 } as const
