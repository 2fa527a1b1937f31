import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { serviceWorker } from "./worker.ts";

const house = process.env.HOUSE ?? "http://127.0.0.1:8000"; // for `npm run dev`: where `cheeseboard serve` listens

export default defineConfig({
  plugins: [svelte(), serviceWorker()],
  build: {
    outDir: "../src/cheeseboard/screen",
    emptyOutDir: true,
    manifest: "parts.json", // the house tells each place's files in advance
    target: "es2022",
    rolldownOptions: {
      output: {
        codeSplitting: {
          // few files: on a slow line each costs a way there and back. What the lobby has, what all tables share, and one per place.
          groups: [
            { name: "house", tags: ["$initial"], priority: 1 },
            { name: "table", test: /src\/(parts|lib)\//, minShareCount: 2 },
          ],
        },
      },
    },
    assetsInlineLimit: 0, // data: addresses are not allowed by our own content security policy
  },
  server: { port: 5173, strictPort: true, proxy: { "/api": { target: house, ws: true } } },
});
