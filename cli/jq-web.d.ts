/** jq as WebAssembly; the package has no types of its own. */
declare module 'jq-web' {
  const jq: Promise<{
    /**
     * Runs a program on a text of JSON.
     * @returns its results, or undefined without any
     * @throws an Error with what jq wrote to stderr
     */
    raw(json: string, program: string, flags?: readonly string[]): string | undefined
  }>
  export default jq
}
