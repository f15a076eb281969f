import type { NodeDefaults } from './default.ts';

/**
 * Files, remote machines and models: what n8n takes where a workflow leaves resource or operation out. Facts read off the
 * node descriptions of n8n-nodes-base 2.41.2.
 */
export const FILES: NodeDefaults = {
  googleDrive: [
    {
      from: 3,
      resource: 'file',
      operation: { drive: 'create', file: 'upload', fileFolder: 'search', folder: 'create' },
    },
    { from: 1, resource: 'file', operation: { file: 'upload', folder: 'create', drive: 'create' } },
  ],
  googleDocs: [{ from: 1, resource: 'document', operation: 'create' }],
  dropbox: [{ from: 1, resource: 'file', operation: { file: 'upload', folder: 'create', search: 'query' } }],
  box: [{ from: 1, resource: 'file', operation: { file: 'upload', folder: 'create' } }],
  microsoftOneDrive: [{ from: 1, resource: 'file', operation: { file: 'upload', folder: 'getChildren' } }],
  awsS3: [{ from: 1, resource: 'file', operation: { bucket: 'create', folder: 'create', file: 'download' } }],
  s3: [{ from: 1, resource: 'file', operation: { bucket: 'create', folder: 'create', file: 'download' } }],
  ftp: [{ from: 1, operation: 'download' }],
  ssh: [{ from: 1, resource: 'command', operation: { command: 'execute', file: 'upload' } }],
  readWriteFile: [{ from: 1, operation: 'read' }],
  awsLambda: [{ from: 1, operation: 'invoke' }],
  openAi: [{ from: 1, resource: 'text', operation: { chat: 'complete', image: 'create', text: 'complete' } }],
  bannerbear: [{ from: 1, resource: 'image', operation: { image: 'create', template: 'get' } }],
  spotify: [
    {
      from: 1,
      resource: 'player',
      operation: {
        player: 'addSongToQueue',
        album: 'get',
        artist: 'get',
        playlist: 'add',
        track: 'get',
        library: 'getLikedTracks',
        myData: 'getFollowingArtists',
      },
    },
  ],
};
