import { useIdentity } from '../site/data/identity.ts'

/** The company that runs the site, from the settings that are filled in. */
export function Controller() {
  const { legal_name: legalName, brand, business_id: businessId, vat_id: vatId } = useIdentity()
  const { street, postal_code: postalCode, city, country, email, phone } = useIdentity()
  const place = [street, [postalCode, city].filter(Boolean).join(' '), country]
  return (
    <p>
      <strong>{legalName ?? brand}</strong>
      {businessId && (
        <>
          <br />
          Business ID {businessId}
          {vatId && `, VAT number ${vatId}`}
        </>
      )}
      {place.filter(Boolean).map((line) => (
        <span key={line}>
          <br />
          {line}
        </span>
      ))}
      {email && (
        <>
          <br />
          <a href={`mailto:${email}`}>{email}</a>
        </>
      )}
      {phone && (
        <>
          <br />
          <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
        </>
      )}
    </p>
  )
}

/** The email address, or a link to the contact form where none is set. */
export function Mail() {
  const { email } = useIdentity()
  return email ? <a href={`mailto:${email}`}>{email}</a> : <a href="/#contact">our contact form</a>
}
