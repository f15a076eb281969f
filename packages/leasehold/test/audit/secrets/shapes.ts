/** Secrets as people leave them about: a text that carries one, and what must not be seen of it. */
export interface Shape {
  readonly name: string;
  readonly text: string;
  readonly secrets: readonly string[];
  /** Where only commands have it: an option or a word behind a program. */
  readonly isCommand?: boolean;
}

const shape = (name: string, text: string, ...secrets: readonly string[]): Shape => ({ name, text, secrets });
const command = (text: string, ...secrets: readonly string[]): Shape => ({
  name: text,
  text,
  secrets,
  isCommand: true,
});

const UUID = '5f0d6c1e-9d5b-4c1f-8a34-77e0b1c2d3e4';
const HEX40 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b';
const HEX32 = '0cc175b9c0f1b6a831c399e269772661';
const MIXED = 'a8Kd02mXq7Zr51TwLp9E';
const PW = 'Secr3tY';
/** Put together here, so that nobody's scanner takes a made-up one for a find. */
const token = (prefix: string, rest: string): string => `${prefix}${rest}`;
const GITHUB = '16C7e42F292c6912E7710c838347Ae178B4a';

/** Addresses whose path, host or query lets in whoever knows it. */
const ADDRESSES: readonly Shape[] = [
  shape('a ping address', `https://hc-ping.com/${UUID}`, UUID),
  shape('a ping address without its scheme', `hc-ping.com/${UUID}/start`, UUID),
  shape('a ping address with a slug', `https://hc-ping.com/aB3dE5gH7jK9mN1pQ3sT5v/backup-db`, 'aB3dE5gH7jK9mN1pQ3sT5v'),
  shape('a ping address of our own', `https://healthchecks.example.com/ping/${UUID}/fail`, UUID),
  shape('Dead Man’s Snitch', 'https://nosnch.in/c2354d53d2', 'c2354d53d2'),
  shape('Cronitor', 'https://cronitor.link/p/1f2a3b4c5d6e7f8a/nightly', '1f2a3b4c5d6e7f8a'),
  shape('Uptime Kuma', 'https://kuma.example.com/api/push/qW3eR5tY7u?status=up', 'qW3eR5tY7u'),
  shape('Better Stack', `https://uptime.betterstack.com/api/v1/heartbeat/${MIXED}`, MIXED),
  shape('forty hexadecimal digits in a path', `https://x.example.com/cron/${HEX40}/run`, HEX40),
  shape('thirty-two of them', `http://intern/wp-cron/${HEX32}`, HEX32),
  shape('letters and digits in a path', `https://api.example.com/hook/${MIXED}`, MIXED),
  shape('a key of a path', 'https://maker.ifttt.com/trigger/done/with/key/dPq3xK9', 'dPq3xK9'),
  shape('Slack', 'https://hooks.slack.com/services/T0AB/B0CD/xYz123', 'xYz123'),
  shape('Discord', 'https://discord.com/api/webhooks/123456789012345678/aBcDeF-gh_12', 'aBcDeF-gh_12'),
  shape(
    'Telegram',
    `https://api.telegram.org/${token('bot123456789:', 'AAabBBccDDeeFFggHHiiJJkkLLmmNNooPPq')}/sendMessage`,
    'AAabBBcc',
  ),
  shape(
    'Microsoft Teams',
    `https://corp.webhook.office.com/webhookb2/${UUID}@${UUID}/IncomingWebhook/${HEX32}`,
    UUID,
    HEX32,
  ),
  shape('Mattermost', 'https://chat.example.com/hooks/k4j5h6g7f8d9s0a1q2w3e4r5t6', 'k4j5h6g7f8d9s0a1q2w3e4r5t6'),
  shape('Pipedream', 'https://eo3k5x7q9z1w2v4.m.pipedream.net', 'eo3k5x7q9z1w2v4'),
  shape('webhook.site', `https://webhook.site/${UUID}`, UUID),
  shape('ntfy', 'https://ntfy.sh/my-alerts-8f3kq2', 'my-alerts-8f3kq2'),
  shape('Make', 'https://hook.eu2.make.com/p0o9i8u7y6t5r4e3w2q1', 'p0o9i8u7y6'),
  shape('Zapier', 'https://hooks.zapier.com/hooks/catch/123456/abc9def', 'abc9def'),
  shape('n8n', 'https://n8n.example.com/webhook/orders-x7', 'orders-x7'),
  shape('Google Apps Script', 'https://script.google.com/macros/s/AKfycbx9Q3zW7rT5yU1iO/exec', 'AKfycbx9Q3zW7rT5yU1iO'),
  shape(
    'a shared document',
    'https://docs.google.com/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit',
    '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
  ),
  shape(
    'a signed address',
    'https://b.s3.amazonaws.com/x.csv?X-Amz-Signature=ab12&X-Amz-Credential=AKIA123',
    'ab12',
    'AKIA123',
  ),
  shape('a fragment', 'https://example.com/cb#access_token=abc9Def7', 'abc9Def7'),
  shape('a user in an address', `https://deploy:${PW}@git.example.com/x.git`, PW),
  shape('a token for a user', `https://x-access-token:${token('ghs_', GITHUB)}@github.com/o/r`, GITHUB),
  shape('a DSN', `https://${HEX32}@o1.ingest.sentry.io/42`, HEX32),
];

const CONNECTIONS: readonly Shape[] = [
  shape('PostgreSQL', `postgres://app:${PW}@db.example.com:5432/orders`, PW),
  shape('PostgreSQL with a password of any signs', 'postgresql://app:p@ss/w#rd!9@db/orders', 'p@ss', 'w#rd!9'),
  shape('PostgreSQL in a query', `postgres://db.example.com/orders?user=app&password=${PW}`, PW),
  shape('words of PostgreSQL', `host=db user=app password='two ${PW}' dbname=x`, PW),
  shape('JDBC', `jdbc:postgresql://db/orders?user=app&password=${PW}`, PW),
  shape('JDBC of Oracle', `jdbc:oracle:thin:scott/${PW}@//db:1521/x`, PW),
  shape('JDBC of SQL Server', `jdbc:sqlserver://db;user=sa;password=${PW};`, PW),
  shape('MongoDB', `mongodb+srv://app:${PW}@c0.example.net/x`, PW),
  shape('Redis', `redis://:${PW}@cache:6379/0`, PW),
  shape('ADO', `Server=db;User Id=sa;Pwd=${PW};`, PW),
  shape('Azure', 'AccountName=x;AccountKey=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4==;', 'Zm9vYmFy'),
  shape('a service bus', 'Endpoint=sb://x/;SharedAccessKeyName=r;SharedAccessKey=Zm9vYmFyMTIz=', 'Zm9vYmFyMTIz'),
];

const GIVEN: readonly Shape[] = [
  shape('a key', 'sync key=sEcr3t4', 'sEcr3t4'),
  shape('a token', 'sync token=sEcr3t4', 'sEcr3t4'),
  shape('a token behind a colon', 'sync (token: sEcr3t4)', 'sEcr3t4'),
  shape('a password in words', 'login with password hunter2Xy', 'hunter2Xy'),
  shape('a password that is said', 'the password is hunter2Xy', 'hunter2Xy'),
  shape('a weak password that is said', 'the password is sesame2open', 'sesame2open'),
  shape('a password in short', 'pw: hunter2Xy', 'hunter2Xy'),
  shape('a German password', 'Passwort: hunter2Xy', 'hunter2Xy'),
  shape('another German one', 'Kennwort=hunter2Xy', 'hunter2Xy'),
  shape('a Spanish password', 'contraseña: hunter2Xy', 'hunter2Xy'),
  shape('a French password', 'mot de passe : hunter2Xy', 'hunter2Xy'),
  shape('an Italian or Portuguese one', 'senha=hunter2Xy', 'hunter2Xy'),
  shape('two words in quotes', `PASSWORD="two ${PW} words"`, PW),
  shape('an environment', `PGPASSWORD=${PW} psql`, PW),
  shape('an environment in quotes', `PGPASSWORD='two ${PW}' psql`, PW),
  shape('short for password', `DB_PASS=${PW}`, PW),
  shape('shorter', `SMTP_PW=${PW}`, PW),
  shape('MySQL’s', `MYSQL_PWD=${PW}`, PW),
  shape('Redis’', `REDISCLI_AUTH=${PW}`, PW),
  shape('a phrase', `BORG_PASSPHRASE=${PW}`, PW),
  shape('a base', `SECRET_KEY_BASE=${PW}`, PW),
  shape('Amazon’s', 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJalrXUt', 'bPxRfi'),
  shape('Amazon’s alone', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJalrXUt', 'bPxRfi'),
  shape('Amazon’s id', 'AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'),
  shape('camels', `clientSecret: '${PW}'`, PW),
  shape('JSON', `{"apiToken":"${PW}"}`, PW),
  shape('JSON within JSON', `"{\\"password\\":\\"${PW}\\"}"`, PW),
  shape('XML', `<password>${PW}</password>`, PW),
  shape('a header', `X-Auth-Token: ${PW}`, PW),
  shape('a bearer', 'Authorization: Bearer abcDEF123456', 'abcDEF123456'),
  shape('a basic one', 'Authorization: Basic dXNlcjpTZWNyM3RZ', 'dXNlcjpT'),
  shape('a JSON web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27uhbU', 'eyJhbGci', 'dBjftJeZ'),
  shape('Stripe’s', token('sk_live_', '51H8abcDEFghi'), '51H8abcDEF'),
  shape('GitHub’s', token('ghp_', GITHUB), '16C7e42F'),
  shape(
    'SendGrid’s',
    token('SG.', 'ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr'),
    'ngeVfQFY',
    'TwL2iGAB',
  ),
  shape('thirty-two digits', `report ${HEX32}`, HEX32),
  shape('forty digits', `report ${HEX40}`, HEX40),
  shape('a private key', '-----BEGIN PRIVATE KEY----- MIIEvQIBADANBgkq -----END PRIVATE KEY-----', 'MIIEvQIB'),
];

const PEOPLE: readonly Shape[] = [
  shape('an address', 'for jane.doe@corp.example', 'jane.doe', 'corp.example'),
  shape('an address in capitals', 'JANE.DOE@CORP.EXAMPLE', 'JANE.DOE'),
  shape('an address with its sign encoded', 'jane.doe%40corp.example', 'jane.doe'),
  shape('an address of another script', 'für jörg@müller.example', 'jörg@'),
  shape('an address in brackets', 'Jane <jane.doe@corp.example>', 'jane.doe@'),
  shape('an address in quotes', '"jane doe"@corp.example', 'jane doe"@'),
  shape('mailto', 'mailto:jane.doe@corp.example?subject=x', 'jane.doe'),
];

export const TEXTS: readonly Shape[] = [...ADDRESSES, ...CONNECTIONS, ...GIVEN, ...PEOPLE];

export const COMMANDS: readonly Shape[] = [
  command(`ldapsearch -x -D cn=admin -w ${PW} -b dc=x`, PW),
  command(`sshpass -p ${PW} ssh backup@host`, PW),
  command(`mysql -u app -p${PW} shop`, PW),
  command(`mysqldump --password=${PW} shop`, PW),
  command(`mongodump -u app -p ${PW}`, PW),
  command(`redis-cli -a ${PW} flushall`, PW),
  command(`smbclient //host/x -U app%${PW}`, PW),
  command(`mosquitto_pub -t x -u app -P ${PW} -m 1`, PW),
  command(`sqlcmd -S db -U sa -P ${PW}`, PW),
  command(`sqlplus scott/${PW}@db @report.sql`, PW),
  command(`7z a -p${PW} x.7z /srv`, PW),
  command(`zip -P ${PW} x.zip /srv`, PW),
  command(`openssl enc -k ${PW} -in x`, PW),
  command(`openssl enc -pass pass:${PW} -in x`, PW),
  command(`gpg --batch --passphrase ${PW} -d x`, PW),
  command(`curl -u app:${PW} https://x.example.com/a`, PW),
  command(`curl --user=app:${PW} https://x.example.com/a`, PW),
  command(`curl -uapp:${PW} https://x.example.com/a`, PW),
  command(`curl -H 'X-Api-Key: ${PW}' https://x.example.com/a`, PW),
  command(`curl -d 'user=a&pin=${PW}' https://x.example.com/a`, PW),
  command(`wget --http-password=${PW} https://x.example.com/a`, PW),
  command(`lftp -u app,${PW} ftp.example.com`, PW),
  command(`docker login -u app -p ${PW} r.example.com`, PW),
  command(`mc alias set x https://s3.example.com AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMIK7MDENG`, 'AKIAIOSF', 'wJalrXUt'),
  command(`ipmitool -H host -U root -P ${PW} power status`, PW),
  command(`backup.sh --password ${PW}`, PW),
  command(`backup.sh --db-pass ${PW}`, PW),
  command(`backup.sh --password "two ${PW}"`, PW),
  command(`backup.sh -p ${PW}`, PW),
  command(`backup.sh -w ${PW}`, PW),
  command('ldapsearch -x -w sesameopen -b dc=x', 'sesameopen'),
  command('redis-cli -a sesameopen flushall', 'sesameopen'),
  command('backup.sh -p sesameopen', 'sesameopen'),
  command('backup.sh --password sesameopen', 'sesameopen'),
  command('backup.sh --db-password=sesameopen', 'sesameopen'),
  command('mysql -u app -psesameopen shop', 'sesameopen'),
  command('sshpass -psesameopen ssh host', 'sesameopen'),
  command('curl -u app:sesameopen https://x.example.com', 'sesameopen'),
  command("curl -H 'Authorization: Token sesameopen' https://x.example.com", 'sesameopen'),
  command("curl --header 'Cookie: sid=sesameopen' https://x.example.com", 'sesameopen'),
  command('smbclient //host/x -U app%sesameopen', 'sesameopen'),
  command('sqlplus scott/sesameopen@db', 'sesameopen'),
  command('expect login.exp root sesam3open!', 'sesam3open!'),
  command('htpasswd -bc f app sesameopen', 'sesameopen'),
  command('PASS=sesameopen ./x.sh', 'sesameopen'),
  command('notify.sh login password sesame2open', 'sesame2open'),
  command('export PASS=sesameopen; ./x.sh', 'sesameopen'),
  command('docker run -e DB_PASSWORD=sesameopen img', 'sesameopen'),
  command('aws configure set aws_secret_access_key sesameopenup', 'sesameopenup'),
  command('net use x: sesameopen /user:app', 'sesameopen'),
  command('snmpget -v2c -c sesameopen host sysUpTime', 'sesameopen'),
  command('rsync --password-file=<(echo sesameopen) a b', 'sesameopen'),
  command('x.sh <<< sesameopen', 'sesameopen'),
  command(`backup.sh Passw0rd!`, 'Passw0rd!'),
  command(`backup.sh prod ${PW}`, PW),
  command(`backup.sh ${MIXED}`, MIXED),
  command(`backup.sh ${HEX40}`, HEX40),
  command(`echo ${PW} | sudo -S backup.sh`, PW),
  command(`bash -c "PGPASSWORD=${PW} pg_dump x"`, PW),
  command(`sh -c 'export TOKEN=${PW}; ./x.sh'`, PW),
  command(`env PGPASSWORD=${PW} pg_dump x`, PW),
  command(`php artisan run --key=${PW}`, PW),
  command(`node job.js user:${PW}`, PW),
];
