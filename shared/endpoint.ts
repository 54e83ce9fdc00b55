/** The methods an endpoint may have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One complaint of a schema about its input; zod's issues have this shape. */
export type Issue = { readonly path: readonly PropertyKey[]; readonly message: string }

/** What an endpoint needs of a schema; every zod schema fits. */
export type Schema<Input> = {
  safeParse(
    value: unknown,
    /** `error` words what the schema has no words of its own for. */
    options?: { error: (issue: { readonly input?: unknown }) => string },
  ):
    | { success: true; data: Input }
    | { success: false; error: { readonly issues: readonly Issue[] } }
}

/**
 * The contract of one JSON exchange: where it is, what it takes, what it returns.
 * The server mounts a handler for it, a page reaches it through a {@link ApiClient}.
 */
export type Endpoint<Input, Answer> = {
  readonly method: Method
  /** Express path; `:name` parts become fields of the input. */
  readonly path: string
  readonly input: Schema<Input>
  readonly output: Output<Answer>
}

/** The answer's type, and the status that goes with a value of it (200 where not said). */
export type Output<Answer> = { readonly status: (answer: Answer) => number }

/** How a page reaches an endpoint: in process on the server, by fetch in the browser. */
export type ApiClient = <Input, Answer>(
  endpoint: Endpoint<Input, Answer>,
  input: NoInfer<Input>,
  /** The answered form proof; on the server the request itself has it. */
  options?: { proof?: string | null },
) => Promise<Answer>

/**
 * Declares an endpoint.
 * @param declaration method, path, input schema and answer type
 */
export function endpoint<Input, Answer>(
  declaration: Endpoint<Input, Answer>,
): Endpoint<Input, Answer> {
  return declaration
}

/**
 * Declares an answer's type.
 * @param status the HTTP status for a value; 200 for every value where left out
 */
export function json<Answer>(status: (answer: Answer) => number = () => 200): Output<Answer> {
  return { status }
}

/**
 * The concrete address of an endpoint: `:name` parts filled in, the rest as a query for GET.
 * @returns the address, and the part of the input that goes into the body (null for GET)
 */
export function address(
  { method, path }: Pick<Endpoint<unknown, unknown>, 'method' | 'path'>,
  input: unknown,
): { url: string; body: string | null } {
  const rest: Record<string, unknown> = { ...(input as Record<string, unknown>) }
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  if (method !== 'GET') return { url: filled, body: JSON.stringify(rest) }
  const query = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&')
  return { url: query ? `${filled}?${query}` : filled, body: null }
}
