/** All of a stream; null where there is more of it than `bytesMax`, which ends the reading. */
export async function wholeBytes(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) return null;
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
