/**
 * Whether a code of RFC 3463, without its class, says that no email reaches an address: it's wrong, or its
 * mailbox is closed or full. Codes for routes, policies and “other” are as often about us, and then
 * everyone's email gets them.
 * @param code such as `1.1` of `5.1.1`
 */
export const isAddressCode = (code: string): boolean =>
  /^1\.(?:[1-6]|10)$/.test(code) || /^2\.[12]$/.test(code)
