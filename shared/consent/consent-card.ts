/**
 * Milliseconds from load to the card that asks for consent (docs/contract.md, Limits and constants).
 * Apart from `consent.ts`, which a browser loads after its first page.
 */
export const consentCardMs = 300
