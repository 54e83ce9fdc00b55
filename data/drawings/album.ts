/** All pictures, in the order in which they can be drawn. */
import { cinemaCamera } from './scenes/cinema-camera.ts'
import { controlRoom } from './scenes/control-room.ts'
import { driftSmoke } from './scenes/drift-smoke.ts'
import { filmStrip } from './scenes/film-strip.ts'
import { forestStageAerial } from './scenes/forest-stage-aerial.ts'
import { formulaSpeed } from './scenes/formula-speed.ts'
import { grandstandFloodlights } from './scenes/grandstand-floodlights.ts'
import { gravelJump } from './scenes/gravel-jump.ts'
import { helmetVisor } from './scenes/helmet-visor.ts'
import { helsinkiDusk } from './scenes/helsinki-dusk.ts'
import { historicLakeside } from './scenes/historic-lakeside.ts'
import { iceLakeAerial } from './scenes/ice-lake-aerial.ts'
import { kartingChicane } from './scenes/karting-chicane.ts'
import { kerbGoldenHour } from './scenes/kerb-golden-hour.ts'
import { lensReflections } from './scenes/lens-reflections.ts'
import { liveryStripes } from './scenes/livery-stripes.ts'
import { microphoneBank } from './scenes/microphone-bank.ts'
import { nightLightTrails } from './scenes/night-light-trails.ts'
import { ogImage } from './scenes/og-image.ts'
import { pitLaneNight } from './scenes/pit-lane-night.ts'
import { rallySnowBlueHour } from './scenes/rally-snow-blue-hour.ts'
import { rallycrossLaunch } from './scenes/rallycross-launch.ts'
import { socialGrid } from './scenes/social-grid.ts'
import { startLights } from './scenes/start-lights.ts'
import { tracksidePhotographer } from './scenes/trackside-photographer.ts'
import { tyreTread } from './scenes/tyre-tread.ts'
import { websiteWireframe } from './scenes/website-wireframe.ts'
import { wetSpray } from './scenes/wet-spray.ts'
import { portraits } from './scenes/portraits.ts'
import type { Scene } from './scenes/scene.ts'

export const album: readonly Scene[] = [
  rallySnowBlueHour,
  gravelJump,
  kerbGoldenHour,
  formulaSpeed,
  wetSpray,
  nightLightTrails,
  pitLaneNight,
  grandstandFloodlights,
  startLights,
  kartingChicane,
  driftSmoke,
  historicLakeside,
  rallycrossLaunch,
  iceLakeAerial,
  forestStageAerial,
  helsinkiDusk,
  tyreTread,
  microphoneBank,
  liveryStripes,
  tracksidePhotographer,
  ...portraits,
  // These show pictures from above on screens or in glass.
  helmetVisor,
  lensReflections,
  cinemaCamera,
  socialGrid,
  websiteWireframe,
  controlRoom,
  filmStrip,
  ogImage,
]
