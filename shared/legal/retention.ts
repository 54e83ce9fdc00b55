/** Something that is kept of people: why, on which ground of the GDPR, and for how long; a line of the privacy policy. */
export type Retention = { what: string; data: string; ground: string; kept: string }
