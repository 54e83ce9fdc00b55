/**
 * Loads the code of a service page before its link is followed.
 * @throws where a part of it cannot be loaded
 */
export async function preloadService(): Promise<void> {
  await Promise.all([import('../services/page.tsx'), import('../services/loader.ts')])
}
