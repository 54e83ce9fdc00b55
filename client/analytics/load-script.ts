/** Adds a script of another origin to the page. */
export function loadScript(
  src: string,
  data: Readonly<Record<string, string>> = {},
): HTMLScriptElement {
  const script = document.createElement('script')
  script.src = src
  script.async = true
  Object.assign(script.dataset, data)
  document.head.append(script)
  return script
}
