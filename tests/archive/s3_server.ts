import S3rver from "s3rver";

export const bucketSettings = {
  ...{ region: "us-east-1", bucket: "tessera" },
  ...{ accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
};

/** A server with the API of S3 on a free port, with one bucket in a folder of its own. */
export async function startS3() {
  const folder = await Deno.makeTempDir();
  const server = new S3rver({
    ...{ address: "127.0.0.1", port: 0, silent: true, directory: folder },
    configureBuckets: [{ name: bucketSettings.bucket, configs: [] }],
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects: () => objectsIn(`${folder}/${bucketSettings.bucket}`),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** The names of the objects, each of which is in a file of that name with a suffix. */
async function objectsIn(folder: string, path = ""): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) names.push(...await objectsIn(`${folder}/${name}`, `${path}${name}/`));
    const suffix = "._S3rver_object";
    if (name.endsWith(suffix)) names.push(path + name.slice(0, -suffix.length));
  }
  return names.sort();
}
