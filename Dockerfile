# syntax=docker/dockerfile:1

# The build needs Vite and the type stripping of the pinned Node; the image that runs needs neither.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM node:24-bookworm-slim
# As in `npm start`: memory of threads that compress and make pictures, see docs/decisions/0015.
# Content is state: the first start copies data/content into the volume, and staff go on from there.
ENV NODE_ENV=production DATA_DIR=/var/lib/pitlane CONTENT_DIR=/var/lib/pitlane/content MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
RUN mkdir -p /var/lib/pitlane && chown node:node /var/lib/pitlane
COPY --from=modules /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json package-lock.json ./
COPY server ./server
COPY shared ./shared
COPY cli ./cli
COPY client/public ./client/public
COPY client/site/styles/fonts.css ./client/site/styles/
COPY data/content ./data/content
USER node
VOLUME /var/lib/pitlane
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD node --env-file-if-exists=.env server/health-check.js
# Node is the process that gets SIGTERM; there is no shell or npm in between.
# A .env may be mounted as /app/.env; the command line reads it, too.
CMD ["node", "--env-file-if-exists=.env", "--import", "./server/compile-cache.js", "--max-semi-space-size=8", "--max-old-space-size=512", "server/start.js"]
