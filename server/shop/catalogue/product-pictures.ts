import { existsSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { failure } from '#shared/failures.ts'
import { slugOf } from '#shared/text/slug.ts'
import { addPictures } from '../../content/files/add-pictures.ts'
import type { Platform } from '../../feature.ts'

/** Pictures of a product as staff name them, in their order. */
export type NamedPictures = {
  /** Files, and ids of pictures that the content has. */
  readonly pictures: readonly string[]
  /** What each shows, in the same order; none leaves the words that are there. */
  readonly alts: readonly string[]
}

/**
 * Makes the pictures that products can show. Files are kept among the content; where a Directus has
 * it, pictures are its files, by their ids or addresses, and their words are there, too.
 */
export function createProductPictures({ config, content }: Pick<Platform, 'config' | 'content'>) {
  const wrong = (message: string) => failure('invalid', { message })

  /** @throws invalid for a file, and for one that the content service does not show */
  async function idsThere({ pictures, alts }: NamedPictures): Promise<string[]> {
    if (alts.length > 0) {
      throw wrong('CONTENT_URL is set: describe the image in that content service.')
    }
    const found = await Promise.all(pictures.map((given) => content.picture(given)))
    return Promise.all(
      pictures.map(async (given, at) => {
        const picture = found[at]
        // A Directus may hide what its files say of themselves, and show the files.
        const isThere = picture && (picture.width !== null || (await content.asset(picture.id)))
        if (isThere) return picture.id
        throw wrong(
          existsSync(given)
            ? `CONTENT_URL is set: upload ${given} to that content service, and name the id that it gets.`
            : `Picture not found in the content service: ${given}.`,
        )
      }),
    )
  }

  /**
   * @returns the ids of the pictures, in their order
   * @throws invalid, or an Error that names the file, where one can't be used
   */
  return async (named: NamedPictures): Promise<string[]> => {
    const { pictures, alts } = named
    if (alts.length > 0 && alts.length !== pictures.length) {
      throw wrong(`There are ${pictures.length} pictures and ${alts.length} alt texts.`)
    }
    if (config.content) return idsThere(named)
    return addPictures(
      config.contentDir,
      pictures.map((given, at) => ({
        picture: existsSync(given)
          ? { file: given, name: slugOf(basename(given, extname(given))) }
          : { id: given },
        alt: alts[at],
      })),
    )
  }
}
