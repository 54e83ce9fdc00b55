/**
 * Draws the sample pictures: `npx node data/drawings/draw.ts [id ...]`, all of them when no id is given.
 * Set DRAW_SCALE=0.25 for drafts and DRAW_TO for another folder.
 */
import { join } from 'node:path'
import { album } from './album.ts'
import { save } from './film.ts'

const wanted = process.argv.slice(2)
const folder = process.env.DRAW_TO ?? join(import.meta.dirname, '../content/assets')

for (const id of wanted)
  if (!album.some((scene) => scene.id === id)) throw new Error(`No picture is called ${id}.`)
for (const scene of album) {
  if (wanted.length > 0 && !wanted.includes(scene.id)) continue
  const began = Date.now()
  const picture = await scene.paint()
  const bytes = await save(picture, join(folder, `${scene.id}.jpg`), scene.grade)
  console.log(
    `${scene.id}: ${Math.round(bytes / 1000)} kB in ${((Date.now() - began) / 1000).toFixed(1)} s`,
  )
}
