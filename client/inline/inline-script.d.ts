/** The text of a script, bundled and minified (`inlineScripts` in vite.config.ts). */
declare module '*?inline-script' {
  const code: string
  export default code
}
