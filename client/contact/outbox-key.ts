/** Where messages wait in local storage (design 1.3); apart from its code, which is rarely needed. */
export const outboxKey = 'contact_outbox'
