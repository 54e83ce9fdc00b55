// What is behind these imports is made by the build, which the linter cannot know.
/* oxlint-disable import/default */
import first from './first.ts?inline-script'
import start from './start.ts?inline-script'

/**
 * The scripts that are in the document itself, as the build has minified them
 * (`inlineScripts` in vite.config.ts). They are static, so their hashes can be in a policy.
 */
export const firstScript: string = first

/** Loads the code of the page; its element says which by `data-entry` and `data-modules`. */
export const startScript: string = start
