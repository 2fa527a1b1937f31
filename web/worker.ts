/** Writes `sw.js`: the list of all built files, and a version that changes whenever one of them does. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

export function serviceWorker(): Plugin {
  let publicDir = "";
  return {
    name: "service-worker",
    apply: "build",
    enforce: "post", // after index.html is in the bundle
    configResolved: (config) => void (publicDir = config.publicDir),
    generateBundle(_, bundle) {
      const hash = createHash("sha256");
      const files: string[] = [];
      const take = (name: string, content: string | Uint8Array) => {
        files.push("/" + name);
        hash.update(name).update(content);
      };
      for (const file of Object.values(bundle)) take(file.fileName, file.type === "chunk" ? file.code : file.source);
      for (const name of readdirSync(publicDir, { recursive: true, encoding: "utf8" })) {
        const path = join(publicDir, name);
        if (statSync(path).isFile()) take(name.replaceAll("\\", "/"), readFileSync(path));
      }
      const source = readFileSync(new URL("./src/sw.js", import.meta.url), "utf8")
        .replace("__VERSION__", hash.digest("hex").slice(0, 12))
        .replace("__FILES__", JSON.stringify(files.filter((name) => !/\.txt$|parts\.json$/.test(name)).sort()));
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}
