import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './src/worker/storage/schema/*.ts',
  out: './migrations',
})
