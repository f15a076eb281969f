/** What a line is called: by the command that it is there for, whatever prepares it, looks, waits, tells or wraps it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { only } from './read.ts';

const NAMES: readonly (readonly [command: string, name: string])[] = [
  [
    String.raw`test -x /usr/bin/certbot -a \! -d /run/systemd/system && perl -e 'sleep int(rand(43200))' && certbot -q renew --no-random-sleep-on-renew`,
    'certbot renew',
  ],
  [
    `/opt/certbot/bin/python -c 'import random; import time; time.sleep(random.random() * 3600)' && sudo certbot renew -q`,
    'certbot renew',
  ],
  [`python3 -c 'from time import sleep; sleep(30)'; /srv/a.sh`, 'a.sh'],
  [`/usr/bin/php -r 'sleep(rand(0, 60));' && /usr/bin/php /srv/cron.php`, 'php /srv/cron.php'],
  [`ruby -e 'sleep rand(60)' && /srv/a.sh`, 'a.sh'],
  [`perl -e 'sleep 5; system("/srv/b.sh")'`, 'perl'],
  ['[ -x /usr/lib/php/sessionclean ] && /usr/lib/php/sessionclean', 'sessionclean'],
  [
    '[ -x /usr/lib/php/sessionclean ] && if [ ! -d /run/systemd/system ]; then /usr/lib/php/sessionclean; fi',
    'sessionclean',
  ],
  ['test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }', 'run-parts /etc/cron.daily'],
  ['[ -d /run/systemd/system ] || /usr/bin/x', 'x'],
  ['command -v debian-sa1 > /dev/null && debian-sa1 1 1', 'debian-sa1 1 1'],
  ['which x >/dev/null 2>&1 && x -a', 'x'],
  [
    String.raw`if [ -x /usr/share/mdadm/checkarray ] && [ $(date +%d) -le 7 ]; then /usr/share/mdadm/checkarray --cron --all; fi`,
    'checkarray',
  ],
  ['sleep 30; /srv/a.sh', 'a.sh'],
  ['/bin/sleep $((RANDOM % 60)) && /srv/a.sh', 'a.sh'],
  ['sleep `shuf -i 1-60 -n 1`; /srv/a.sh', 'a.sh'],
  ['cd /var/www/app && php artisan schedule:run >> /dev/null 2>&1', 'php artisan schedule:run'],
  ['. /etc/profile; /srv/a.sh', 'a.sh'],
  ['. $HOME/.profile && cd $HOME && ./a.sh', 'a.sh'],
  ['source /srv/venv/bin/activate && python manage.py clearsessions', 'python manage.py clearsessions'],
  ['export X=1; export Y=2; /srv/a.sh', 'a.sh'],
  ['eval "$(pyenv init -)"; python /srv/a.py', 'python /srv/a.py'],
  [`bash -lc 'cd /srv && RAILS_ENV=production bundle exec rake daily'`, 'bundle exec rake daily'],
  ['nice -n 19 ionice -c2 -n7 /srv/a.sh', 'a.sh'],
  ['nice -19 ionice -c 3 timeout -k 5 1h chronic /srv/a.sh', 'a.sh'],
  ['cronic /srv/a.sh', 'a.sh'],
  ['taskset -c 0-3 /srv/a.sh', 'a.sh'],
  ['taskset 0x3 /srv/a.sh', 'a.sh'],
  ['cpulimit -l 30 -- /srv/a.sh', 'a.sh'],
  ['sudo -Eu www-data php /srv/occ system:cron', 'php /srv/occ system:cron'],
  ['sudo -u www-data -- /srv/a.sh', 'a.sh'],
  ['su -s /bin/bash -c "php /srv/a.php" www-data', 'php /srv/a.php'],
  ['systemd-cat -t a /srv/a.sh', 'a.sh'],
  ['mountpoint -q /mnt/b && rsync -a /srv/ /mnt/b/', 'rsync /srv/ /mnt/b/'],
  ['grep -q master /etc/role && /srv/a.sh', 'a.sh'],
  ['systemctl is-active --quiet nginx && /srv/a.sh', 'a.sh'],
  ['curl -fsS https://hc-ping.com/0f1e/start; /srv/a.sh && curl -fsS https://hc-ping.com/0f1e', 'a.sh'],
  ['lckdo /run/x.lock /srv/a.sh', 'a.sh'],
  ['cronlock php /srv/a.php', 'php /srv/a.php'],
  ['for i in 1 2 3; do /srv/a.sh; sleep 20; done', 'a.sh'],
  ['while read x; do /srv/a.sh $x; done < /etc/list', 'a.sh $x'],
  ['systemd-run --scope -p MemoryMax=1G /srv/a.sh', 'a.sh'],
  ['sentry-cli monitors run my-job -- php /srv/a.php', 'php /srv/a.php'],
  ['cronitor exec d3x0c1 php /srv/a.php', 'php /srv/a.php'],
  ['runitor -uuid 2f9e-22 -- /srv/a.sh', 'a.sh'],
  // Where nothing else is there, what looks or waits is what the line is there for.
  ['sleep 30', 'sleep 30'],
];

describe('a line of a crontab', () => {
  for (const [command, name] of NAMES)
    it(`is called ${name}: ${command}`, () => {
      assert.equal(only(`0 5 * * * ${command.replaceAll('%', '\\%')}`).name, name);
    });
});
