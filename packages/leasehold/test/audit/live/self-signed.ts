/** A certificate that nobody trusts, with its key, made on the spot by openssl; null where that is not there. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function makeCertificate(): { readonly key: Buffer; readonly cert: Buffer } | null {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const made = spawnSync('openssl', [...request, ...subject]);
    return made.status === 0 ? { key: readFileSync(key), cert: readFileSync(cert) } : null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
