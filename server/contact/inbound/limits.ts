/** Bytes. */
export const megabyte = 1024 * 1024

/** Bytes of an email that is read as a whole; of a larger one only the header is. */
export const maxEmailBytes = 10 * megabyte

/** Characters that are kept of an email's text, with what it quotes. */
export const maxTextLength = 64 * 1024

/** Message-IDs of a header that are looked at; nobody answers a thread that is longer. */
export const maxReferences = 1_000

/** Attachments of an email that are named. */
export const maxAttachments = 50

/** Emails that wait for staff at a time; a flood of them ends there. */
export const maxWaiting = 500

/** Days after which one of them is forgotten, though nobody has read it. */
export const waitingDays = 30
