import { expect, test } from 'vitest'
import { startSite } from '../../support/site.ts'

test('by default there is no measuring, the mailing list is ours, and the policy allows no other origin', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await site.get('/api/site-config')
  expect(json).toEqual({
    newsletter: { action: '/subscription/form', list: 'newsletter', own: true },
    analytics: null,
  })
  const policy = (await site.get('/')).headers['content-security-policy']
  expect(policy).not.toMatch(/https?:/)
})

test('the site configuration publishes what is configured, and the policy allows exactly that', async () => {
  await using site = await startSite({
    sending: false,
    env: {
      NEWSLETTER_URL: 'https://lists.example.com/subscription/form',
      NEWSLETTER_LIST: 'abc',
      ANALYTICS_ID: 'G-TEST1',
      STATS_SCRIPT_URL: 'https://stats.example.com/script.js',
      STATS_WEBSITE_ID: 'w1',
      SMTP_URL: 'smtp://user:hidden@127.0.0.1:9',
    },
  })
  const reply = await site.get('/api/site-config')
  expect(reply.json).toEqual({
    newsletter: { action: 'https://lists.example.com/subscription/form', list: 'abc', own: false },
    analytics: {
      measurementId: 'G-TEST1',
      stats: { script: 'https://stats.example.com/script.js', website: 'w1' },
    },
  })
  const policy = String((await site.get('/')).headers['content-security-policy'])
  const directive = (name: string) => policy.split('; ').find((each) => each.startsWith(name)) ?? ''
  expect(directive('form-action')).toBe("form-action 'self' https://lists.example.com")
  expect(directive('script-src')).toContain('https://www.googletagmanager.com')
  expect(directive('script-src')).toContain('https://stats.example.com')
  expect(directive('connect-src')).toContain('https://*.google-analytics.com')
  expect(directive('connect-src')).toContain('https://stats.example.com')
  expect(directive('default-src')).toBe("default-src 'self'")
})

test.each([
  ['its own origin', {}, 'https://checkout.stripe.com'],
  ['that of another base', { STRIPE_API_BASE: 'http://127.0.0.1:9' }, 'http://127.0.0.1:9'],
])('a form may lead on to the payment service at %s', async (_, more, origin) => {
  await using site = await startSite({
    sending: false,
    env: { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x', ...more },
  })
  const policy = String((await site.get('/')).headers['content-security-policy'])
  expect(policy.split('; ')).toContain(`form-action 'self' ${origin}`)
  expect(policy.split(origin)).toHaveLength(2)
})
