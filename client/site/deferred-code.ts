// One chunk for what is needed after the first page; `deferred.tsx` brings it.
export { Background } from './background.tsx'
export { BrokenScreen } from './errors/broken-screen.tsx'
export { ErrorScreen } from './errors/error-screen.tsx'
export { runFooter } from './footer/footer-actions.ts'
export { headTags } from '#shared/seo/head-tags.ts'
export { HeadTags } from './head/head-tags.tsx'
export { Loading } from './loading-cover.tsx'
export { LogoutButton } from '../clients/logout-button.tsx'
