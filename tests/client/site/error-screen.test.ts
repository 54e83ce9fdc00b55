import { expect, test } from 'vitest'
import { failureOf } from '#client/site/errors/error-screen.tsx'

const response = (status: number, statusText: string, data: unknown) => ({
  status,
  statusText,
  data,
  internal: false,
})

test.each([
  [
    'a response',
    response(410, 'Gone', 'This gallery is closed.'),
    [410, 'Gone', 'This gallery is closed.'],
  ],
  [
    'a response without a message',
    response(503, 'Service Unavailable', null),
    [503, 'Service Unavailable', 'An unexpected error occurred'],
  ],
  ['an error', new Error('The tyre is flat'), [500, 'Internal Error', 'The tyre is flat']],
  [
    'an error reply of a call',
    Object.assign(new Error('Gone for good'), { status: 410 }),
    [410, 'Gone', 'Gone for good'],
  ],
  ['a text', 'The tyre is flat', [500, 'Error', 'The tyre is flat']],
  ['a text of something not found', 'Tyre not found', [404, 'Not Found', 'Tyre not found']],
  ['anything else', 42, [500, 'Unknown Error', 'An unexpected error occurred']],
  ['nothing at all', undefined, [500, 'Unknown Error', 'An unexpected error occurred']],
])('%s that a route throws is shown with status, status text and message', (_, thrown, shown) => {
  const { status, statusText, data } = failureOf(thrown)
  expect([status, statusText, data]).toEqual(shown)
})
