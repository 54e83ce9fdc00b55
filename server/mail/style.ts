import type { Markup } from '../text/markup.ts'

/** Colours of the site, by light and dark. */
export const colours = {
  ground: ['#f6f4ef', '#0b0d10'],
  sheet: ['#fffefb', '#13171c'],
  ink: ['#12151a', '#f4f1ea'],
  soft: ['#565c65', '#b9bec6'],
  link: ['#b3200b', '#ff8a70'],
} as const

/** The colour of kerbs and buttons; the same in light and dark. */
export const accent = '#ff4d23'
/** What is read on {@link accent}. */
export const onAccent = '#12151a'
/** Of lines, by light and dark. */
export const rule = ['#dcd9d2', '#2a3037'] as const
/** The font of text. */
export const sans = 'Arial,Helvetica,sans-serif'
/** The font of headlines. */
export const display = `'Arial Black','Archivo Expanded',${sans}`

/** Rules for one dark environment; mail programs without style sheets keep the light look. */
const dark = (scope: string) =>
  [
    `${scope}.ground{background:${colours.ground[1]}!important}`,
    `${scope}.sheet{background:${colours.sheet[1]}!important}`,
    `${scope}.ink,${scope}.ink p,${scope}.ink h1,${scope}.ink h2,${scope}.ink h3{color:${colours.ink[1]}!important}`,
    `${scope}.soft,${scope}.ink .soft,${scope}.ink figcaption{color:${colours.soft[1]}!important}`,
    `${scope}.link,${scope}.ink a:not(.button),${scope}.soft a:not(.soft){color:${colours.link[1]}!important}`,
    `${scope}.rule{border-color:${rule[1]}!important}`,
    `${scope}.stone{background:${colours.ink[1]}!important}`,
    `${scope}.button{color:${onAccent}!important;background:${accent}!important}`,
  ].join('')

/**
 * The style sheet of an email. Outlook on the web and its apps mark their dark mode by an attribute
 * instead of asking the system.
 */
export const style: Markup = {
  markup: `<style>:root{color-scheme:light dark;supported-color-schemes:light dark}body{margin:0}a{color:${colours.link[0]}}@media (prefers-color-scheme:dark){${dark('')}}${dark('[data-ogsc] ')}@media (max-width:480px){.pad{padding-left:20px!important;padding-right:20px!important}}</style>`,
}
