/** Where messages wait in local storage; apart from its code, which is rarely needed. */
export const outboxKey = 'contact_outbox'
