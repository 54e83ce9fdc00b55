/**
 * The name of a cookie for the whole site. Over https its prefix keeps other hosts of the domain
 * from planting one (RFC 6265bis, 4.1.3.2): browsers take it only with Secure, Path=/ and no Domain.
 */
export const cookieName = (name: string, { secure }: { secure: boolean }): string =>
  secure ? `__Host-${name}` : name
